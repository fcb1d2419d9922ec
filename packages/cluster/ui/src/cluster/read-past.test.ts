import { ApiError, type Client, configMaps, namespaces, type Query, secrets } from "@operator-path/client";
import { startTestCluster, type TestCluster } from "@operator-path/cluster/testing";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type ClusterModel, openClusterModel } from "./open-cluster-model.ts";
import { readPast } from "./read-past.ts";

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startTestCluster();
  await cluster.client.resource(namespaces).create({ metadata: { name: "shop" } });
});
afterAll(() => cluster.stop());

async function open(maxEntries?: number): Promise<ClusterModel> {
  const stop = new AbortController();
  const model = await openClusterModel({
    ...{ client: cluster.client, cluster: { context: "test", server: "" }, signal: stop.signal },
    ...(maxEntries !== undefined && { maxEntries }),
  });
  onTestFinished(() => {
    stop.abort();
    return model.done;
  });
  return model;
}

const shop = () => cluster.client.resource(configMaps).namespace("shop");
const names = (objects: Iterable<{ readonly name: string }>) => [...objects].map(({ name }) => name);

test("shows the run from before it was opened, and goes on with what happens", async () => {
  const created = await shop().create({ metadata: { name: "past" }, data: { a: "1" } });
  await shop().patch("past", { data: { a: "2" } }, { type: "merge", fieldManager: "shop-operator" });
  await shop().create({ metadata: { name: "gone" } });
  await shop().delete("gone");
  const model = await open();
  await model.waitForSync();
  await shop().create({ metadata: { name: "meanwhile" } });
  await model.waitForPast();
  await shop().patch("past", { data: { a: "3" } }, { type: "merge" });
  const own = () => model.history.entries.filter(({ name }) => ["past", "gone", "meanwhile"].includes(name));
  await expect.poll(() => own().length).toBe(6);

  expect(own().map(({ name, type, by, text }) => [name, type, by, text])).toEqual([
    ["past", "added", expect.any(String), ""],
    ["past", "updated", "shop-operator", "data.a: 1 → 2"],
    ["gone", "added", expect.any(String), ""],
    ["gone", "deleted", "", ""],
    ["meanwhile", "added", expect.any(String), ""],
    ["past", "updated", expect.any(String), "data.a: 2 → 3"],
  ]);
  expect(own().map(({ seq }) => seq)).toEqual(
    own()
      .map(({ seq }) => seq)
      .toSorted((a, b) => a - b),
  );
  const [, second, third] = own();
  expect(names(model.history.base())).not.toContain("past");
  expect(names(model.history.at(third?.at ?? 0).values())).toEqual(expect.arrayContaining(["past", "gone"]));
  expect(names(model.history.now.values())).not.toContain("gone");
  expect(model.versionOf(created.metadata?.uid ?? "", second?.seq)).toMatchObject({
    object: { data: { a: "2" } },
    before: { data: { a: "1" } },
  });
});

test("keeps no more of the past than the limit, and reads no data of Secrets", async () => {
  const secret = await cluster.client
    .resource(secrets)
    .namespace("shop")
    .create({ metadata: { name: "key" }, stringData: { key: "hunter2" } });
  for (let n = 0; n < 30; n++) await shop().create({ metadata: { name: `many-${n}` } });
  const model = await open(20);
  await model.waitForPast();
  expect(model.history.entries.length).toBeLessThanOrEqual(36);
  expect(names(model.history.base())).toContain("many-0");
  expect(JSON.stringify(model.versionOf(secret.metadata?.uid ?? ""))).not.toContain("hunter2");
});

/** A client whose server keeps the writes after a resourceVersion, each with a number of bytes. */
function serverWith(oldest: number, newest: number, bytes: number): { client: Client; asked: number[] } {
  const asked: number[] = [];
  async function* writes(from: number) {
    for (let revision = from + 1; revision <= newest; revision++) {
      const metadata = {
        uid: "a",
        name: "a",
        resourceVersion: `${revision}`,
        annotations: { a: "x".repeat(bytes) },
      };
      yield Buffer.from(`${JSON.stringify({ type: "MODIFIED", object: { metadata } })}\n`);
    }
  }
  const stream = async ({ query }: { query?: Query }) => {
    const from = Number(query?.resourceVersion);
    asked.push(from);
    const message = `too old resource version: ${from} (${oldest})`;
    if (from < oldest)
      throw new ApiError({ code: 410, reason: "Expired", message, kind: "Status", apiVersion: "v1" });
    return { status: 200, headers: {}, body: writes(from) };
  };
  return { client: { stream } as unknown as Client, asked };
}

const resources = [{ resource: configMaps, metadataOnly: false }];

test("begins with the oldest write that the server has", async () => {
  const { client, asked } = serverWith(90, 100, 10);
  const { signal } = new AbortController();
  const past = await readPast({ client, resources, namespaces: [], now: 100, signal });
  expect(asked).toEqual([1, 90]);
  expect(past.since).toBe(90);
  expect(past.writes.map(({ revision }) => revision)).toEqual([91, 92, 93, 94, 95, 96, 97, 98, 99, 100]);
});

test("reads only the last part of too long a past", async () => {
  const { client } = serverWith(0, 100, 100_000);
  const { signal } = new AbortController();
  const { since, writes } = await readPast({ client, resources, namespaces: [], now: 100, signal });
  expect(since).toBeGreaterThan(50);
  expect(writes.length).toBe(100 - since);
});
