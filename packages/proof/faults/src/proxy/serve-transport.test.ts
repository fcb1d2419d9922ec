import {
  createClientOn,
  createTransport,
  defineResource,
  isNotFound,
  type KubeObject,
} from "@operator-path/client";
import { createFakeClock } from "@operator-path/client/testing";
import { expect, onTestFinished, test } from "vitest";
import { createRandom } from "../random.ts";
import { createSimulatedServer } from "../server/simulated-server.ts";
import { createFaultyTransport } from "../transport/faulty-transport.ts";
import { serveTransport } from "./serve-transport.ts";

const things = defineResource<KubeObject>({
  group: "",
  version: "v1",
  kind: "Thing",
  plural: "things",
  namespaced: true,
});

async function start() {
  const clock = createFakeClock();
  const random = createRandom(1);
  const server = createSimulatedServer({ clock, random, resources: [{ resource: things }] });
  const network = createFaultyTransport(server, { clock, random });
  const served = await serveTransport(network);
  // Without the retries of createClient, so that the test sees every answer.
  const client = createClientOn(createTransport(served.kubeConfig));
  onTestFinished(async () => {
    await client.close();
    await served.close();
  });
  return { network, server, api: client.resource(things).namespace("shop") };
}

test("another client receives the transport's objects, errors and events", async () => {
  const { api } = await start();
  await api.create({ metadata: { name: "a" } });
  expect(isNotFound(await api.get("b").catch((error) => error))).toBe(true);
  for await (const { type, object } of api.watch({ resourceVersion: "90" })) {
    expect([type, (object as KubeObject).metadata?.name]).toEqual(["ADDED", "a"]);
    break;
  }
});

test("sends Retry-After as a header, and breaks the connection of a broken answer", async () => {
  const { api, network, server } = await start();
  network.arm("list", { kind: "status", code: 429, retryAfter: 7 });
  await expect(api.list()).rejects.toMatchObject({ code: 429, retryAfter: 7_000 });
  network.arm("write", { kind: "reset", committed: true });
  await expect(api.create({ metadata: { name: "a" } })).rejects.toMatchObject({ code: "ECONNRESET" });
  expect(server.truth(things)).toHaveLength(1);
});

test("ends a watch when its client disconnects", async () => {
  const { api, server } = await start();
  const stop = new AbortController();
  const reading = (async () => {
    for await (const _ of api.watch({ resourceVersion: "90", signal: stop.signal }));
  })().catch(() => {});
  await expect.poll(() => server.watching).toBe(1);
  stop.abort();
  await reading;
  await expect.poll(() => server.watching).toBe(0);
});
