import { type Client, configMaps, createClient, isForbidden, leases } from "@operator-path/client";
import { createSharedInformer } from "@operator-path/informers";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { Cluster } from "../cluster.ts";
import { startEmbeddedCluster } from "../embedded/start.ts";
import { spawnEmbeddedCluster } from "../embedded-process/spawn.ts";
import type { ClusterFaults, FaultEvent } from "./cluster-faults.ts";

describe.each([
  ["in this process", () => startEmbeddedCluster()],
  ["in a child process", () => spawnEmbeddedCluster()],
] as const)("faults of a cluster %s", (_where, start) => {
  let cluster: Cluster & { readonly faults: ClusterFaults };
  beforeAll(async () => {
    cluster = await start();
  });
  afterAll(() => cluster?.stop());

  function connect(userAgent: string): Client {
    const client = createClient(cluster.kubeConfig, { userAgent });
    onTestFinished(() => client.close());
    return client;
  }

  function follow(): FaultEvent[] {
    const events: FaultEvent[] = [];
    onTestFinished(cluster.faults.subscribe((event) => events.push(event)));
    return events;
  }

  test("breaks an operator's watch, which goes on where it was and misses nothing", async () => {
    const [operator, kubectl] = [connect("shop-operator"), connect("kubectl/v1.99")];
    const seen: string[] = [];
    const stop = new AbortController();
    const informer = createSharedInformer(operator, configMaps, { namespace: "default" });
    informer.addEventHandler({ added: ({ metadata }) => void seen.push(metadata?.name ?? "") });
    const running = informer.run(stop.signal);
    onTestFinished(() => {
      stop.abort();
      return running;
    });
    await expect.poll(() => informer.hasSynced()).toBe(true);
    const maps = kubectl.resource(configMaps).namespace("default");
    await maps.create({ metadata: { name: "before" } });
    await expect.poll(() => seen).toContain("before");
    const events = follow();

    expect(await cluster.faults.watches()).toBe(1);
    expect(await cluster.faults.breakWatches()).toBe(1);
    await maps.create({ metadata: { name: "meanwhile" } });

    await expect.poll(() => seen).toContain("meanwhile");
    expect(seen.filter((name) => name !== "kube-root-ca.crt")).toEqual(["before", "meanwhile"]);
    expect(events).toMatchObject([
      { type: "watch-broken", client: "shop-operator", resource: "configmaps" },
      { type: "watch-resumed", client: "shop-operator", resource: "configmaps", listed: false },
    ]);
    for (const name of ["before", "meanwhile"]) await maps.delete(name);
  });

  test("refuses an operator's writes as RBAC would, until they are allowed again", async () => {
    const [operator, kubectl] = [connect("shop-operator"), connect("kubectl/v1.99")];
    const maps = operator.resource(configMaps).namespace("default");
    const events = follow();
    const create = (name: string) => maps.create({ metadata: { name } });

    await cluster.faults.refuse();
    const refusal = await create("shop").catch((error: unknown) => error);

    expect(isForbidden(refusal)).toBe(true);
    expect((refusal as Error).message).toMatch(
      /configmaps is forbidden: User ".+" cannot create resource "configmaps" in API group "" in the namespace "default"/,
    );
    expect((await maps.list()).items).toBeInstanceOf(Array);
    await operator
      .resource(leases)
      .namespace("default")
      .create({ metadata: { name: "shop" } });
    await kubectl
      .resource(configMaps)
      .namespace("default")
      .create({ metadata: { name: "by-hand" } });

    await cluster.faults.allow();
    await create("shop");
    await expect.poll(() => events.map(({ type }) => type)).toEqual(["refused", "accepted"]);
    expect(await cluster.faults.writes()).toEqual([{ verb: "create", group: "", resource: "configmaps" }]);
    for (const name of ["shop", "by-hand"])
      await kubectl.resource(configMaps).namespace("default").delete(name);
    await operator.resource(leases).namespace("default").delete("shop");
  });

  test("refuses one verb on one resource", async () => {
    const maps = connect("shop-operator").resource(configMaps).namespace("default");
    await cluster.faults.refuse({ verb: "delete", group: "", resource: "configmaps" });
    await maps.create({ metadata: { name: "one" } });
    await expect(maps.delete("one")).rejects.toThrow("cannot delete resource");
    await cluster.faults.allow();
    await maps.delete("one");
  });
});

test("reports that a stopped cluster has no faults", async () => {
  const cluster = await spawnEmbeddedCluster();
  await cluster.stop();
  await expect(cluster.faults.breakWatches()).rejects.toThrow("the cluster has ended");
});
