import { createClientOn, defineResource, type KubeObject } from "@operator-path/client";
import { createFakeClock } from "@operator-path/client/testing";
import { expect, test } from "vitest";
import { createRandom } from "../random.ts";
import { createSimulatedServer } from "../server/simulated-server.ts";
import type { Fault } from "./fault.ts";
import { createFaultyTransport } from "./faulty-transport.ts";
import type { Pieces } from "./pieces.ts";

const things = defineResource<KubeObject>({
  group: "",
  version: "v1",
  kind: "Thing",
  plural: "things",
  namespaced: true,
});

function start(pieces: Pieces = "whole") {
  const clock = createFakeClock();
  const random = createRandom(1);
  const server = createSimulatedServer({ clock, random, resources: [{ resource: things }] });
  const network = createFaultyTransport(server, { clock, random, pieces });
  const api = createClientOn(network).resource(things).namespace("shop");
  const create = (name: string) => api.create({ metadata: { name, annotations: { note: "äöü 🙂" } } });
  /** Resolves to the lines of a stream and the way it ends. */
  async function read() {
    const stop = new AbortController();
    const request = { method: "GET", path: "/api/v1/things", query: { watch: true, resourceVersion: "90" } };
    const chunks: Buffer[] = [];
    let end = "open";
    const reading = (async () => {
      try {
        const { body } = await network.stream({ ...request, signal: stop.signal });
        for await (const chunk of body) chunks.push(Buffer.from(chunk));
        end = "ended";
      } catch (error) {
        if (!stop.signal.aborted) end = String((error as { code?: string }).code);
      }
    })();
    await clock.advance(100);
    stop.abort();
    await reading;
    return { end, text: Buffer.concat(chunks).toString("utf8"), chunks: chunks.length };
  }
  return { clock, server, network, api, create, read };
}

test.each([
  [false, 0],
  [true, 1],
])("a request whose answer is lost (committed: %s) has changed %i objects", async (committed, objects) => {
  const { network, create, server } = start();
  network.arm("write", { kind: "reset", committed });
  await expect(create("a")).rejects.toMatchObject({ code: "ECONNRESET" });
  expect(server.truth(things)).toHaveLength(objects);
});

test("a request without an answer fails after 75 s, or when its signal aborts", async () => {
  const { network, api, clock } = start();
  network.arm("list", { kind: "silent", committed: false }, 2);
  const list = api.list().catch((error) => error);
  await clock.advance(74_000);
  const stop = new AbortController();
  const second = api.list({ signal: stop.signal }).catch((error) => error);
  await clock.advance(1_000);
  expect(await list).toMatchObject({ code: "ETIMEDOUT" });
  stop.abort(new Error("enough"));
  expect(await second).toMatchObject({ message: "enough" });
  expect(clock.pending()).toBe(0);
});

test.each<[Fault, object]>([
  [
    { kind: "status", code: 429, retryAfter: 7 },
    { code: 429, reason: "TooManyRequests", retryAfter: 7_000 },
  ],
  [{ kind: "too large" }, { code: 504, reason: "Timeout" }],
  [
    { kind: "html", code: 502 },
    { code: 502, message: expect.stringContaining("<html>") },
  ],
  [{ kind: "html", code: 200 }, {}],
  [{ kind: "refused" }, { code: "ECONNREFUSED" }],
  [{ kind: "half", share: 0.5, how: "reset" }, { code: "ECONNRESET" }],
  [{ kind: "half", share: 0.5, how: "close" }, {}],
])("%j is what the client meets, once", async (fault, error) => {
  const { network, api, create } = start();
  await create("a");
  network.arm("list", fault);
  await expect(api.list()).rejects.toMatchObject(error);
  expect((await api.list()).items).toHaveLength(1);
});

const whole = async () => {
  const { create, read } = start();
  await create("a");
  await create("b");
  return (await read()).text;
};

test.each<Pieces>(["whole", "split", "crumbs", "merged"])(
  "bytes that arrive %s are the same",
  async (pieces) => {
    const { create, read } = start(pieces);
    await create("a");
    await create("b");
    const { text, chunks } = await read();
    expect(text).toBe(await whole());
    if (pieces === "crumbs") expect(chunks).toBeGreaterThan(10);
    if (pieces === "merged") expect(chunks).toBe(1);
  },
);

test.each<[Fault, string, (lines: string[]) => string]>([
  [{ kind: "cut", afterLines: 1, share: 0.5, how: "reset" }, "ECONNRESET", ([a = ""]) => a],
  [{ kind: "cut", afterLines: 1, share: 0, how: "close" }, "ended", ([a = ""]) => a],
  [{ kind: "cut", afterLines: 0, share: 0, how: "silence" }, "open", () => ""],
  [{ kind: "twice", lines: 1 }, "open", ([a = "", b = ""]) => a + a + b],
  [{ kind: "brief", ms: 50, how: "close" }, "ended", (lines) => lines.join("")],
  [{ kind: "garbage", afterLines: 1, text: "oh\n" }, "ended", ([a = ""]) => `${a}oh\n`],
])("%j", async (fault, end, expected) => {
  const { network, create, read } = start();
  await create("a");
  await create("b");
  network.arm("watch", fault);
  const got = await read();
  const lines = (await whole()).split(/(?<=\n)/);
  expect(got.end).toBe(end);
  // A reset discards the unread bytes of the socket.
  if (end === "ECONNRESET") expect(lines.join("").startsWith(got.text)).toBe(true);
  else expect(got.text).toBe(expected(lines));
});

test("a cache in between repeats an answer, but not twice in a row", async () => {
  const { network, api, create } = start();
  await api.list();
  await create("a");
  network.arm("list", { kind: "stale" }, 2);
  expect((await api.list()).items).toHaveLength(0);
  expect((await api.list()).items).toHaveLength(1);
});

test("a resumed stream begins with an old replica's lines", async () => {
  const { network, create, read } = start();
  await create("a");
  const { text } = await read();
  network.arm("watch", { kind: "old", lines: 1 });
  expect((await read()).text).toBe(text + text);
});

test("a half-open stream stays silent", async () => {
  const { network, clock, create } = start();
  const stop = new AbortController();
  const path = "/api/v1/things";
  const query = { watch: true, resourceVersion: "90" };
  const { body } = await network.stream({ method: "GET", path, query, signal: stop.signal });
  const iterator = body[Symbol.asyncIterator]();
  network.breakStreams({ how: "silence" });
  await create("a");
  network.heal();
  await create("b");
  let said: unknown;
  const next = iterator.next().then(
    (result) => {
      said = result;
    },
    (error) => {
      said = error;
    },
  );
  await clock.advance(1_000_000);
  expect(said).toBeUndefined();
  stop.abort(new Error("given up"));
  await next;
  expect(said).toMatchObject({ message: "given up" });
});
