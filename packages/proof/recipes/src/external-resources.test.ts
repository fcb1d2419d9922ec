import { startTestCluster } from "@operator-path/cluster/testing";
import { createChannel, findStatusCondition } from "@operator-path/controller-runtime";
import { eventually } from "@operator-path/controller-runtime/testing";
import { afterAll, expect, test } from "vitest";
import { createDnsApi } from "./dns-api.ts";
import { type DnsRecord, dnsRecords, setupDnsRecords } from "./external-resources.ts";
import { startDnsServer } from "./testing/dns-server.ts";
import { crdOf, startOperator } from "./testing/operator.ts";

const cluster = await startTestCluster({ crds: [crdOf(dnsRecords)] });
afterAll(() => cluster.stop());

/** Starts a provider and the operator. */
async function start(pollInterval?: number) {
  await using undo = new AsyncDisposableStack();
  const dns = undo.use(await startDnsServer());
  const changes = createChannel<DnsRecord>();
  const api = createDnsApi(dns.url);
  const operator = undo.use(
    await startOperator(cluster, {
      ...{ resources: [dnsRecords], role: "external-resources.role.yaml" },
      setup: (manager) =>
        setupDnsRecords(manager, { api, changes, ...(pollInterval === undefined ? {} : { pollInterval }) }),
    }),
  );
  const records = cluster.client.resource(dnsRecords).namespace(operator.namespace);
  const ready = async () => findStatusCondition((await records.get("www")).status?.conditions, "Ready");
  const create = (host = "www.example.com") =>
    records.create({ metadata: { name: "www" }, spec: { host, address: "192.0.2.1" } });
  const disposal = undo.move();
  return {
    dns,
    changes,
    operator,
    records,
    ready,
    create,
    [Symbol.asyncDispose]: () => disposal.disposeAsync(),
  };
}

test("creates, updates and removes the entry of a DnsRecord", async () => {
  await using started = await start();
  const { dns, records, ready, create, operator } = started;
  await create();
  await eventually(async () =>
    expect(await ready()).toMatchObject({ status: "True", observedGeneration: 1 }),
  );
  expect((await records.get("www")).status?.id).toBe("e1");
  expect(dns.entries.get("e1")).toMatchObject({ host: "www.example.com", address: "192.0.2.1" });

  await records.patch("www", { spec: { address: "192.0.2.2" } }, { type: "merge" });
  await eventually(async () => expect(await ready()).toMatchObject({ observedGeneration: 2 }));
  expect([...dns.entries.values()]).toMatchObject([{ id: "e1", address: "192.0.2.2" }]);

  await records.delete("www");
  await eventually(async () => expect((await records.list()).items).toEqual([]));
  expect(dns.entries.size).toBe(0);
  const { needed, granted } = operator.permissions();
  expect(needed).toEqual(granted);
});

test("finds an entry whose id was never stored, and creates no second one", async () => {
  await using started = await start();
  const { dns, records, create, operator } = started;
  dns.failures.set("POST", [{}]);
  await create();
  await eventually(async () => expect((await records.get("www")).status?.id).toBe("e1"));
  const statusWrites = operator.requests.filter(({ subresource }) => subresource === "status");
  expect(JSON.stringify(statusWrites)).toContain("POST /entries: no answer from the provider");
  expect([...dns.entries.keys()]).toEqual(["e1"]);
  expect(dns.requests.filter((request) => request === "POST /entries")).toHaveLength(1);
});

test("a poll repairs an entry that was changed or deleted at the provider", async () => {
  await using started = await start(50);
  const { dns, records, create } = started;
  await create();
  const entry = await eventually(() => {
    const entry = dns.entries.get("e1");
    expect(entry).toBeDefined();
    return entry;
  });
  if (entry) dns.entries.set("e1", { ...entry, address: "203.0.113.9" });
  await eventually(() => expect(dns.entries.get("e1")?.address).toBe("192.0.2.1"));
  dns.entries.delete("e1");
  await eventually(async () => expect((await records.get("www")).status?.id).toBe("e2"));
});

test("a change that the provider reports is repaired without a poll", async () => {
  await using started = await start();
  const { dns, changes, records, ready, create } = started;
  await create();
  await eventually(async () => expect(await ready()).toMatchObject({ status: "True" }));
  dns.entries.clear();
  changes.send(await records.get("www"));
  await eventually(() => expect([...dns.entries.keys()]).toEqual(["e2"]));
});

test("a rejected spec is reported and not tried again before it changes", async () => {
  await using started = await start();
  const { dns, records, ready, create, operator } = started;
  await create("localhost");
  await eventually(async () => {
    expect(await ready()).toMatchObject({ status: "False", reason: "Rejected" });
    expect(await operator.manager.metrics.metrics()).toMatch(/terminal_reconcile_errors_total{.*} 1/);
  });
  expect((await ready())?.message).toContain("422: ");
  await records.patch("www", { spec: { host: "www.example.com" } }, { type: "merge" });
  await eventually(async () => expect(await ready()).toMatchObject({ status: "True", reason: "Synced" }));
  expect(dns.requests.filter((request) => request === "POST /entries")).toHaveLength(2);
});

test("retries a failing provider, after the time that the provider asks for", async () => {
  await using started = await start();
  const { dns, ready, create, operator } = started;
  dns.failures.set("POST", [{ status: 503 }, { status: 429, retryAfter: 1 }]);
  await create();
  await eventually(async () => expect(await ready()).toMatchObject({ reason: "ProviderFailed" }));
  await eventually(async () => expect(await ready()).toMatchObject({ status: "True" }));
  await eventually(async () => {
    const metrics = await operator.manager.metrics.metrics();
    expect(metrics).toMatch(/controller_runtime_reconcile_total{.*result="error".*} 1/);
    expect(metrics).toMatch(/controller_runtime_reconcile_total{.*result="requeue_after".*} 2/);
  });
});

test("a DnsRecord stays until its entry is removed", async () => {
  await using started = await start();
  const { dns, records, ready, create } = started;
  await create();
  await eventually(async () => expect(await ready()).toMatchObject({ status: "True" }));
  dns.failures.set("DELETE", [{ status: 500 }, {}]);
  await records.delete("www");
  await eventually(async () => expect((await records.list()).items).toEqual([]));
  expect(dns.entries.size).toBe(0);
  expect(dns.requests.filter((request) => request.startsWith("DELETE"))).toHaveLength(2);
});
