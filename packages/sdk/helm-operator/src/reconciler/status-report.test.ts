import { type Condition, systemClock } from "@operator-path/client";
import { startTestCluster, type TestCluster } from "@operator-path/cluster/testing";
import { createObjectClient, type Reader } from "@operator-path/controller-runtime";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createResourceMapper } from "../resources/resource-mapper.ts";
import { createStatusReport, type Writing } from "./status-report.ts";
import { conditionsOf, namespace, type Web, webDefinition, webs } from "./testing/bench.ts";

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startTestCluster({ crds: [webDefinition] });
});
afterAll(() => cluster?.stop());

const others: Condition = {
  ...{ type: "Backup", status: "True", reason: "Done", message: "" },
  lastTransitionTime: "2030-01-01T00:00:00Z",
};

const apiOfWebs = () => cluster.client.resource(webs).namespace(namespace);

/** @param after runs after each read from the server */
function writing(object: Web, after: () => Promise<void> = async () => {}): Writing {
  const mapper = createResourceMapper(cluster.client);
  mapper.know(webs);
  const client = createObjectClient(cluster.client, { scheme: mapper.scheme });
  const apiReader: Reader = {
    list: client.list.bind(client),
    async get(...read) {
      const found = await client.get(...read);
      await after();
      return found;
    },
  };
  return {
    ...{ object, client, apiReader, clock: systemClock, settings: { resource: webs } },
    key: { namespace, name: object.metadata?.name ?? "" },
    signal: new AbortController().signal,
  };
}

const writeBackup = async (name: string) => {
  const body = { status: { conditions: [others] } };
  await apiOfWebs().patch(name, body, { type: "merge", subresource: "status" });
};

test("keeps conditions that other writers have added since the object was read, even at the last moment", async () => {
  const object = await apiOfWebs().create({ metadata: { name: "one" } });
  await writeBackup("one");
  const report = createStatusReport(object, systemClock);
  report.initialized();
  await report.write(writing(object));
  expect(conditionsOf(await apiOfWebs().get("one"))).toEqual(["Backup=True", "Initialized=True"]);

  const second = await apiOfWebs().create({ metadata: { name: "two" } });
  const late = createStatusReport(second, systemClock);
  late.initialized();
  let reads = 0;
  await late.write(
    writing(second, async () => {
      if (++reads === 1) await writeBackup("two");
    }),
  );
  expect(reads).toBe(2);
  expect(conditionsOf(await apiOfWebs().get("two"))).toEqual(["Backup=True", "Initialized=True"]);
});

test("writes nothing to a new object of the same name", async () => {
  const object = await apiOfWebs().create({ metadata: { name: "three" } });
  const report = createStatusReport(object, systemClock);
  report.fine();
  await apiOfWebs().delete("three");
  await apiOfWebs().create({ metadata: { name: "three" } });
  await report.write(writing(object));
  expect((await apiOfWebs().get("three")).status).toBeUndefined();
});

test("writes nothing for a report that was taken back", async () => {
  const object = await apiOfWebs().create({ metadata: { name: "four" } });
  const report = createStatusReport(object, systemClock);
  report.fine();
  report.irreconcilable("ReconcileError", new Error("no"));
  await report.write(writing(object));
  const now = await apiOfWebs().get("four");
  const next = createStatusReport(now, { ...systemClock, now: () => systemClock.now() + 60_000 });
  next.fine();
  next.irreconcilable("ReconcileError", new Error("no"));
  await next.write(writing(now));
  expect((await apiOfWebs().get("four")).metadata?.resourceVersion).toBe(now.metadata?.resourceVersion);
});
