import { once } from "node:events";
import { Agent, request } from "node:https";
import { connect } from "node:tls";
import { nodes, pods } from "@operator-path/client";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { getPod, isReady, podOf, startTestNode, until } from "../testing/node.ts";
import { createKubeletCredentials } from "./kubelet-server.ts";

const credentials = createKubeletCredentials();
const trusted = {
  ca: credentials.caCertificate,
  cert: credentials.clientCertificate,
  key: credentials.clientKey,
  servername: "localhost",
};

let node: Awaited<ReturnType<typeof startTestNode>>;
let port: number;
beforeEach(async () => {
  node = await startTestNode({ server: credentials });
  const { status } = await node.client.resource(nodes).get("node");
  expect(status?.addresses).toContainEqual({ type: "InternalDNS", address: "localhost" });
  port = status?.daemonEndpoints?.kubeletEndpoint?.Port ?? 0;
});
afterEach(() => node.stop());

async function runBusybox(): Promise<void> {
  const pod = podOf("box", [{ image: "busybox", command: ["sh", "-c", "echo started; sleep infinity"] }]);
  await node.client.resource(pods).namespace("default").create(pod);
  await until(getPod(node.client, "box"), isReady);
}

async function get(path: string, options: object = trusted): Promise<{ status: number; body: string }> {
  const outgoing = request({ host: "127.0.0.1", port, path, agent: new Agent(), ...options }).end();
  const [answer] = await once(outgoing, "response");
  let body = "";
  for await (const chunk of answer) body += chunk;
  return { status: answer.statusCode, body };
}

/** Returns what each channel of a WebSocket received until the node closed it. */
async function stream(path: string, sent?: string): Promise<Map<number, string>> {
  const socket = new WebSocket(`wss://127.0.0.1:${port}${path}`, "v5.channel.k8s.io", trusted);
  const channels = new Map<number, string>();
  socket.on("message", (data: Buffer) => {
    const channel = data[0] as number;
    channels.set(channel, (channels.get(channel) ?? "") + data.subarray(1).toString());
  });
  await once(socket, "open");
  if (sent !== undefined) {
    socket.send(Buffer.concat([Buffer.from([0]), Buffer.from(sent)]));
    socket.send(Buffer.from([255, 0]));
  }
  await once(socket, "close");
  return channels;
}

describe("the kubelet's API", () => {
  test("serves logs as text", async () => {
    await runBusybox();
    const log = await until(
      () => get("/containerLogs/default/box/main"),
      ({ body }) => body !== "",
    );
    expect(log).toEqual({ status: 200, body: "started\n" });
    expect(await get("/containerLogs/default/box/main?tailLines=0")).toEqual({ status: 200, body: "" });
    expect(await get("/containerLogs/default/box/nope")).toEqual({
      status: 404,
      body: 'container "nope" not found in pod "box"',
    });
    expect(await get("/containerLogs/default/nope/main")).toEqual({
      status: 404,
      body: 'pod "nope" does not exist',
    });
  });

  test("runs commands, with and without a uid in the path", async () => {
    await runBusybox();
    const command = "command=sh&command=-c&command=cat%3Bexit%203&input=1&output=1";
    const expected = { 1: "hello", 3: expect.stringContaining('"reason":"NonZeroExitCode"') };
    for (const path of ["/exec/default/box/main", "/exec/default/box/0123/main"])
      expect(Object.fromEntries(await stream(`${path}?${command}`, "hello"))).toEqual(expected);
  });

  test("serves the Pods and the health check", async () => {
    await runBusybox();
    expect(JSON.parse((await get("/pods")).body)).toMatchObject({
      kind: "PodList",
      items: [{ metadata: { name: "box" } }],
    });
    expect(await get("/healthz")).toEqual({ status: 200, body: "ok" });
    for (const path of ["/", "/run/default/box/main", "/exec/default/box", "/metrics"])
      expect((await get(path)).status).toBe(404);
    expect(await get("/exec/default/box/main?command=ls&output=1")).toMatchObject({ status: 400 });
  });

  test.each([
    ["/exec/default/nope/main?command=ls&output=1", 404, "pod does not exist"],
    ["/exec/default/box/nope?command=ls&output=1", 500, 'container not found ("nope")'],
    ["/exec/default/box/main?command=ls", 400, "you must specify at least 1 of stdin, stdout, stderr"],
  ])("refuses %s before the protocol changes", async (path, status, body) => {
    await runBusybox();
    const headers = {
      connection: "Upgrade",
      upgrade: "SPDY/3.1",
      "x-stream-protocol-version": "v4.channel.k8s.io",
    };
    expect(await get(path, { ...trusted, headers })).toEqual({ status, body });
  });
});

describe("the TLS handshake fails", () => {
  const other = createKubeletCredentials();

  test.each([
    ["without a certificate", { ca: credentials.caCertificate }],
    [
      "with a certificate of another authority",
      { ...trusted, cert: other.clientCertificate, key: other.clientKey },
    ],
    [
      "with the node's own certificate",
      { ...trusted, cert: credentials.serving.certificate, key: credentials.serving.privateKey },
    ],
  ])("%s", async (_name, options) => {
    const socket = connect({ host: "127.0.0.1", port, servername: "localhost", ...options });
    let answer = "";
    socket.on("data", (chunk) => {
      answer += chunk;
    });
    socket.on("error", () => {});
    socket.write("GET /pods HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    await new Promise((resolve) => socket.once("close", resolve));
    expect(answer).toBe("");
  });
});
