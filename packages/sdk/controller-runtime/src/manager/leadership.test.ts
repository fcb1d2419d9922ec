import { deployments, leases } from "@operator-path/client";
import { LeadershipLostError } from "@operator-path/informers";
import { expect, test } from "vitest";
import { newControllerManagedBy } from "../builder/builder.ts";
import { memcached, memcacheds } from "../controller/testing/memcached.ts";
import { createMemoryCluster, reconcileMemcached } from "../controller/testing/memory-cluster.ts";
import { createTestManager } from "../controller/testing/test-manager.ts";
import type { ReconcileFunction } from "../reconcile/reconciler.ts";

type Cluster = ReturnType<typeof createMemoryCluster>;

/** A replica of the operator. */
function start(
  cluster: Cluster,
  identity: string,
  wrap: (own: ReconcileFunction) => ReconcileFunction = (own) => own,
) {
  const operator = cluster.manager({ leaderElection: { id: "memcached", namespace: "default", identity } });
  const reconciled: string[] = [];
  const own = wrap(reconcileMemcached(operator.manager));
  newControllerManagedBy(operator.manager)
    .for(memcacheds)
    .owns(deployments)
    .complete((request, context) => {
      reconciled.push(request.name);
      return own(request, context);
    });
  return { ...operator, reconciled, ...operator.run() };
}

function holder({ server }: Cluster): unknown {
  const [lease] = server.truth(leases);
  return (lease?.spec as { holderIdentity?: string } | undefined)?.holderIdentity;
}

/** Takes the Lease by force. */
function steal({ server, clock }: Cluster): void {
  const spec = {
    holderIdentity: "thief",
    renewTime: new Date(clock.now()).toISOString(),
    leaseTransitions: 9,
  };
  server.writes(leases).mergePatch("default", "memcached", { spec });
}

test("one of two replicas works, and the other takes over at once when it stops", async () => {
  const cluster = createMemoryCluster();
  const { clock, server } = cluster;
  const one = start(cluster, "one");
  await clock.advance(100);
  const two = start(cluster, "two");
  server.writes(memcacheds).create({ ...memcached("a") });
  await clock.advance(30_000);
  expect([holder(cluster), one.reconciled.length > 0, two.reconciled]).toEqual(["one", true, []]);
  expect(await one.metric('leader_election_master_status{name="memcached"}')).toBe(1);
  expect(await two.metric('leader_election_master_status{name="memcached"}')).toBe(0);
  one.stop();
  await clock.advance(5_000);
  await one.ended;
  expect(holder(cluster)).toBe("two");
  server.writes(memcacheds).create({ ...memcached("b") });
  await clock.advance(1_000);
  expect(two.reconciled).toContain("b");
  expect(one.reconciled).not.toContain("b");
  expect(one.writes).toEqual(["POST deployments", "PUT memcacheds"]);
  expect(two.writes).toEqual(["POST deployments", "PUT memcacheds"]);
});

test("a replica that loses the Lease is aborted, rejects, and cannot write although its code runs on", async () => {
  const cluster = createMemoryCluster();
  const { clock, server } = cluster;
  const seen: unknown[] = [];
  const operator = start(cluster, "one", (reconcile) => async (request, context) => {
    // Ignores its signal.
    await clock.sleep(20_000);
    seen.push(context.signal.reason);
    await Promise.resolve(reconcile(request, context)).catch((error) => seen.push(error));
  });
  server.writes(memcacheds).create({ ...memcached("a") });
  await clock.advance(5_000);
  expect(operator.reconciled).toEqual(["a"]);
  steal(cluster);
  await clock.advance(3_000);
  await expect(operator.ended).rejects.toThrow(LeadershipLostError);
  await expect(operator.ended).rejects.toThrow("thief holds the Lease");
  await clock.advance(60_000);
  expect(seen).toHaveLength(2);
  for (const reason of seen) expect(reason).toBeInstanceOf(LeadershipLostError);
  expect(operator.writes).toEqual([]);
  expect(holder(cluster)).toBe("thief");
  expect(await operator.metric('controller_runtime_reconcile_errors_total{controller="memcached"}')).toBe(0);
});

test("rejects writes of a process that was blocked past its deadline before any timer runs", async () => {
  const cluster = createMemoryCluster();
  const { clock, server } = cluster;
  const skew = { ahead: 0 };
  const blocked = { ...clock, now: () => clock.now() + skew.ahead };
  const errors: unknown[] = [];
  const operator = createTestManager({
    ...{ clock: blocked, leaderElection: { id: "memcached", namespace: "default", identity: "one" } },
    transport: { request: server.request, stream: server.stream, close: async () => {} },
  });
  newControllerManagedBy(operator.manager)
    .for(memcacheds)
    .complete(async ({ namespace, name }, { signal }) => {
      errors.push(signal.aborted);
      // Like a loop of eleven seconds.
      skew.ahead += 11_000;
      await operator.manager.client
        .delete({ apiVersion: "apps/v1", kind: "Deployment", metadata: { namespace, name } })
        .catch((error) => errors.push(error, signal.aborted));
    });
  const { ended } = operator.run();
  server.writes(memcacheds).create({ ...memcached("a") });
  server
    .writes(deployments)
    .create({ apiVersion: "apps/v1", kind: "Deployment", metadata: { namespace: "default", name: "a" } });
  await clock.advance(0);
  await expect(ended).rejects.toThrow(LeadershipLostError);
  expect(errors).toEqual([false, expect.any(LeadershipLostError), true]);
  expect(server.truth(deployments)).toHaveLength(1);
});

test("runs runnables without leader election before, and a warm-up fills the queue", async () => {
  const cluster = createMemoryCluster();
  const { clock, server } = cluster;
  const one = start(cluster, "one");
  await clock.advance(100);
  const { manager, run } = cluster.manager({ leaderElection: { id: "memcached", namespace: "default" } });
  const ran = new Set<string>();
  const build = (name: string) => newControllerManagedBy(manager).for(memcacheds).named(name);
  build("eager")
    .withOptions({ needLeaderElection: false })
    .complete(({ name }) => void ran.add(`eager ${name}`));
  build("warm")
    .withOptions({ enableWarmup: true })
    .complete(({ name }) => void ran.add(`warm ${name}`));
  server.writes(memcacheds).create({ ...memcached("a") });
  let elected = false;
  manager.elected.then(() => (elected = true));
  run();
  await clock.advance(5_000);
  expect([[...ran], elected]).toEqual([["eager a"], false]);
  expect(server.watching).toBe(3);
  one.stop();
  await clock.advance(5_000);
  expect([[...ran], elected]).toEqual([["eager a", "warm a"], true]);
});

test("a replica that has never led stops on request", async () => {
  const cluster = createMemoryCluster();
  start(cluster, "one");
  await cluster.clock.advance(100);
  const two = start(cluster, "two");
  await cluster.clock.advance(10_000);
  two.stop();
  await cluster.clock.advance(0);
  await two.ended;
  expect(holder(cluster)).toBe("one");
});

test("requires a namespace for the Lease outside a Pod", () => {
  expect(() => createTestManager({ leaderElection: { id: "memcached" } })).toThrow(
    "leaderElection.namespace is missing, and this process does not run in a Pod",
  );
});

test("a replica that loses the Lease during its shutdown writes nothing more", async () => {
  const cluster = createMemoryCluster();
  const { clock, server } = cluster;
  const seen: unknown[] = [];
  const operator = start(cluster, "one", (reconcile) => async (request, context) => {
    await clock.sleep(20_000);
    seen.push(context.signal.reason);
    await Promise.resolve(reconcile(request, context)).catch((error) => seen.push(error));
  });
  server.writes(memcacheds).create({ ...memcached("a") });
  await clock.advance(5_000);
  const reason = new Error("asked to stop");
  operator.stop(reason);
  await clock.advance(1_000);
  steal(cluster);
  await clock.advance(20_000);
  await operator.ended.catch(() => {});
  expect(seen).toEqual([reason, expect.any(LeadershipLostError)]);
  expect(operator.writes).toEqual([]);
  expect(holder(cluster)).toBe("thief");
});

test("a replica that is stopped while it wins the Lease starts nothing", async () => {
  const cluster = createMemoryCluster();
  const { clock, server } = cluster;
  let started = 0;
  const operator = createTestManager({
    ...{ clock, leaderElection: { id: "memcached", namespace: "default", identity: "one" } },
    transport: {
      stream: server.stream,
      close: async () => {},
      async request(request) {
        const answer = await server.request(request);
        if (request.method === "POST") stop();
        return answer;
      },
    },
  });
  operator.manager.add({
    name: "one that ignores an aborted signal",
    start(signal) {
      started++;
      return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    },
  });
  let elected = false;
  operator.manager.elected.then(() => (elected = true));
  const { stop, ended } = operator.run();
  await clock.advance(1_000);
  await ended;
  expect([started, elected]).toEqual([0, false]);
  expect(holder(cluster)).toBe("");
});
