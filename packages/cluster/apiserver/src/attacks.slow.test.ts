/** Attacks on a server in its own process, each with the bound in docs/embedded-cluster.md. */
import type { IncomingMessage } from "node:http";
import { connect } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { inParallel, type ServerProcess, startServerProcess } from "./testing/server-process.ts";
import { configMap } from "./testing/test-server.ts";

const mebibyte = 1024 * 1024;
const configMaps = "/api/v1/namespaces/default/configmaps";
const things = "/apis/example.com/v1/namespaces/default/things";
/** Milliseconds of processor time of the longest turn of the event loop, for which other clients wait. */
const longestTurn = 3_000;

/** Creates a kind without a schema, which stores everything that is sent. */
async function createThings(server: ServerProcess): Promise<void> {
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  const answer = await server.send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
    body: {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "things.example.com" },
      spec: {
        group: "example.com",
        scope: "Namespaced",
        names: { plural: "things", singular: "thing", kind: "Thing", listKind: "ThingList" },
        versions: [{ name: "v1", served: true, storage: true, schema }],
      },
    },
  });
  expect(answer.status).toBe(201);
}

function thing(name: string, data: unknown) {
  return { apiVersion: "example.com/v1", kind: "Thing", metadata: { name }, data };
}

/** Opens responses and leaves them unread. */
async function openUnread(
  server: ServerProcess,
  count: number,
  path: string,
  headers: Record<string, string> = {},
): Promise<IncomingMessage[]> {
  const watches: IncomingMessage[] = [];
  await inParallel(count, 32, async () => {
    const watch = await server.open(path, { agent: false, headers });
    watch.on("error", () => {});
    watches.push(watch.pause());
  });
  onTestFinished(() => {
    for (const watch of watches) watch.destroy();
  });
  return watches;
}

/**
 * Waits until the server has closed the connections of unread responses, all of them: reading would save the rest.
 * Returns how many responses are incomplete.
 *
 * @param sockets of the server before they were opened
 */
async function cutOff(
  server: ServerProcess,
  answers: readonly IncomingMessage[],
  sockets: number,
): Promise<number> {
  await expect.poll(async () => (await server.load()).sockets).toBeLessThanOrEqual(sockets);
  const ended = answers.map(async (answer) => {
    if (!answer.closed) await new Promise<void>((resolve) => answer.resume().once("close", resolve));
    return answer.complete ? 0 : 1;
  });
  const cut: number[] = await Promise.all(ended);
  return cut.reduce((sum, one) => sum + one, 0);
}

test("a thousand large objects end at the quota, and the list of them is whole", async () => {
  // The quota is a quarter of the heap: 256 MiB.
  const server = await startServerProcess({}, 1_024);
  await createThings(server);
  const data = "x".repeat(1_400_000);
  const answers = new Map<string, number>();
  await inParallel(1_000, 4, async (index) => {
    const { status, text } = await server.send("POST", things, { body: thing(`t${index}`, data) });
    const key = status === 201 ? "created" : (JSON.parse(text) as { message: string }).message;
    answers.set(key, (answers.get(key) ?? 0) + 1);
  });
  const created = answers.get("created") ?? 0;
  expect(created).toBeGreaterThan(60);
  expect([...answers.keys()].sort()).toEqual(["created", "etcdserver: mvcc: database space exceeded"]);

  const list = await server.send("GET", things);
  expect([list.status, list.bytes > created * data.length]).toEqual([200, true]);
  const load = await server.load();
  expect(load.memory).toBeLessThan(900 * mebibyte);
  expect(load.longestTurn).toBeLessThan(longestTurn);
  expect((await server.send("DELETE", `${things}/t0`)).status).toBe(200);
  expect((await server.send("POST", things, { body: thing("again", data) })).status).toBe(201);
});

test("an object of 2.9 MB is refused", async () => {
  const server = await startServerProcess();
  await createThings(server);
  const answer = await server.send("POST", things, { body: thing("a", "x".repeat(2_900_000)) });
  expect([answer.status, JSON.parse(answer.text)]).toMatchObject([
    500,
    { message: "etcdserver: request is too large" },
  ]);
});

test("a thousand watches over one object of 1 MB share its bytes", async () => {
  const server = await startServerProcess();
  const text = "x".repeat(1_000_000);
  await server.send("POST", configMaps, { body: configMap("large", { text }) });
  let bytes = 0;
  const watches: IncomingMessage[] = [];
  onTestFinished(() => {
    for (const watch of watches) watch.destroy();
  });
  await inParallel(1_000, 32, async () => {
    const watch = await server.open(`${configMaps}?watch=1`, { agent: false });
    watch.on("error", () => {});
    watch.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
    });
    watches.push(watch);
  });
  const updated = configMap("large", { text: text.replace("x", "y") });
  expect((await server.send("PUT", `${configMaps}/large`, { body: updated })).status).toBe(200);
  await expect.poll(() => bytes, { timeout: 120_000 }).toBeGreaterThan(2 * 1_000 * text.length);
  const load = await server.load();
  expect(load.memory).toBeLessThan(600 * mebibyte);
  expect(load.longestTurn).toBeLessThan(longestTurn);
});

test("400 unread watches cost little, and are closed", async () => {
  const server = await startServerProcess({ limits: { stallTimeout: 5_000 } });
  const text = "x".repeat(1_000_000);
  await server.send("POST", configMaps, { body: configMap("large", { text }) });
  const { sockets } = await server.load();
  const watches = await openUnread(server, 400, `${configMaps}?watch=1`);
  // This is more than the sockets between client and server can hold.
  for (let index = 0; index < 20; index++) {
    const body = configMap("large", { text: `${index}${text}` });
    expect((await server.send("PUT", `${configMaps}/large`, { body })).status).toBe(200);
  }
  expect((await server.load()).memory).toBeLessThan(400 * mebibyte);
  expect(await cutOff(server, watches, sockets)).toBe(400);
});

test("unread watches that are encoded for each client alone share a budget", async () => {
  const server = await startServerProcess({ limits: { stallTimeout: 5_000 } });
  await createThings(server);
  await server.send("POST", things, { body: thing("large", "x".repeat(1_400_000)) });
  const accept = "application/json;as=Table;g=meta.k8s.io;v=v1";
  await openUnread(server, 600, `${things}?watch=1&includeObject=Object`, { accept });
  expect((await server.load()).memory).toBeLessThan(700 * mebibyte);
  expect((await server.send("GET", `${things}/large`)).status).toBe(200);
});

test("200 unread lists of 100 MB cost little, and are closed", async () => {
  const server = await startServerProcess({ limits: { stallTimeout: 5_000 } });
  const text = "x".repeat(1_000_000);
  await inParallel(100, 4, (index) =>
    server.send("POST", configMaps, { body: configMap(`c${index}`, { text }) }),
  );
  const before = await server.load();
  const lists = await openUnread(server, 200, configMaps);
  const load = await server.load();
  expect(load.memory - before.memory).toBeLessThan(300 * mebibyte);
  expect(load.longestTurn).toBeLessThan(longestTurn);
  expect((await server.send("GET", `${configMaps}/c0`)).status).toBe(200);
  expect(await cutOff(server, lists, before.sockets)).toBe(200);
});

test("bodies that never arrive in full are bounded, and small ones are accepted beside them", async () => {
  const server = await startServerProcess();
  const sockets = Array.from({ length: 100 }, () => {
    const { port, caCertificate: ca, token } = server;
    const socket = connect({ port, host: "127.0.0.1", ca, servername: "localhost" });
    socket.on("error", () => {});
    const head = `POST ${configMaps} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\n`;
    socket.write(`${head}content-type: application/json\r\ncontent-length: 3000000\r\n\r\n`);
    socket.write("x".repeat(2_900_000));
    return socket;
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  const refused = async () => (await server.send("POST", configMaps, { body: "x".repeat(2_000_000) })).status;
  await expect.poll(refused).toBe(429);
  const created = await server.send("POST", configMaps, { body: configMap("small") });
  expect(created.status).toBe(201);
  expect((await server.load()).memory).toBeLessThan(400 * mebibyte);
});

const flat = Array.from({ length: 60_000 }, (_, index) => `  key-${index}: value of the key ${index}\n`);
test.each([
  ["of many keys", `metadata:\n  name: a\ndata:\n${flat.join("")}`, 422],
  ["of a million items", `metadata:\n  name: a\ndata: [${"1,".repeat(1_000_000)}1]\n`, 400],
  ["of a million mappings", `metadata:\n  name: a\ndata: [${"{},".repeat(900_000)}1]\n`, 400],
  ["of one key, again and again", `metadata:\n  name: a\ndata:\n${"  x: v\n".repeat(350_000)}`, 201],
  ["of aliases", `metadata:\n  name: a\nb: &b {x: 1}\ndata: [${"*b,".repeat(800_000)}1]\n`, 400],
])("a YAML body %s takes less than three seconds of processor time", async (_name, body, status) => {
  const server = await startServerProcess();
  const headers = { "content-type": "application/yaml" };
  const answer = await server.send("POST", configMaps, { body, headers });
  expect(answer.status).toBe(status);
  // All of this is one turn of the event loop. CPU time hardly depends on other load of the machine.
  expect((await server.load()).cpu).toBeLessThan(3_000);
});
