import { ApiError, type Transport } from "@operator-path/client";
import { expect, test } from "vitest";
import { newControllerManagedBy } from "../builder/builder.ts";
import { memcached, memcacheds } from "../controller/testing/memcached.ts";
import { createMemoryCluster } from "../controller/testing/memory-cluster.ts";
import { createTestSource } from "../controller/testing/test-manager.ts";

/** A server that rejects this many writes, and a controller that creates an object per request. */
function start(refusals: number, code = 429, retryAfter = 1_000) {
  const { clock, manager: create, server } = createMemoryCluster();
  const sent: string[] = [];
  const transport: Transport = {
    stream: server.stream,
    close: async () => {},
    async request(request) {
      if (request.method === "GET") return server.request(request);
      sent.push(request.method);
      if (sent.length > refusals) return server.request(request);
      throw new ApiError({ code, reason: "TooManyRequests", message: "slow down" }, retryAfter);
    },
  };
  const test = create({ transport });
  const { client } = test.manager;
  const source = createTestSource();
  newControllerManagedBy(test.manager)
    .named("test")
    .watchesRawSource(source)
    .complete(async ({ name }, { signal }) => {
      if (name === "old") await client.delete(memcached(name));
      else await client.create(memcached(name), name === "aborted" ? { signal } : {});
    });
  const errors = () => test.metric('controller_runtime_reconcile_errors_total{controller="test"}');
  return { ...test, ...test.run(), clock, server, source, sent, errors };
}

test("retries after the time that the server requests, without a failed reconcile", async () => {
  const { clock, server, source, sent, errors } = start(3);
  await clock.advance(0);
  source.add({ namespace: "default", name: "a" });
  await clock.advance(2_999);
  expect(sent).toHaveLength(3);
  await clock.advance(1);
  expect(sent).toHaveLength(4);
  expect(server.truth(memcacheds)).toHaveLength(1);
  expect(await errors()).toBe(0);
});

test.each([
  ["retries ten times", 100, 429, 1_000, "a", 11],
  ["does not wait for hours", 100, 429, 3_600_000, "a", 1],
  ["does not retry a write that may have been stored", 100, 503, 1_000, "a", 1],
  ["retries an idempotent write", 100, 503, 1_000, "old", 11],
])("%s", async (_, refusals, code, retryAfter, name, expected) => {
  const { clock, source, sent, errors } = start(refusals, code, retryAfter);
  await clock.advance(0);
  source.add({ namespace: "default", name });
  // Less than the first back-off, after which it starts over.
  while ((await errors()) !== 1) await clock.advance(4);
  expect(sent).toHaveLength(expected);
});

test.each(["a", "aborted"])("does not wait when the manager stops: %s", async (name) => {
  const { clock, source, stop, ended, errors } = start(100, 429, 50_000);
  await clock.advance(0);
  source.add({ namespace: "default", name });
  await clock.advance(10);
  stop(new Error("bye"));
  await clock.advance(10);
  await ended;
  expect(await errors()).toBe(0);
});

test("limits the requests of reconciles to qps", async () => {
  const { clock, manager: create, server } = createMemoryCluster();
  const sent: number[] = [];
  const transport: Transport = {
    ...server,
    async request(request) {
      if (request.method === "POST") sent.push(clock.now());
      return server.request(request);
    },
    close: async () => {},
  };
  const test = create({ transport, qps: 2, burst: 1 });
  const source = createTestSource();
  newControllerManagedBy(test.manager)
    .named("test")
    .watchesRawSource(source)
    .complete(async ({ name }) => void (await test.manager.client.create(memcached(name))));
  test.run();
  await clock.advance(10_000);
  const begin = clock.now();
  for (const name of ["a", "b", "c"]) source.add({ namespace: "default", name });
  await clock.advance(10_000);
  expect(sent.map((at) => at - begin)).toEqual([0, 500, 1_000]);
});
