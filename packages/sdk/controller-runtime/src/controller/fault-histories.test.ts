import { deployments } from "@operator-path/client";
import {
  createFaultyTransport,
  createRandom,
  type Fault,
  type Random,
  type Target,
} from "@operator-path/faults";
import { expect, test } from "vitest";
import { newControllerManagedBy } from "../builder/builder.ts";
import { type Memcached, memcached, memcacheds } from "./testing/memcached.ts";
import { createMemoryCluster, reconcileMemcached } from "./testing/memory-cluster.ts";

/** Set MANAGER_FAULT_HISTORIES=1000 for more. A failure names its seed. */
const histories = Number(process.env.MANAGER_FAULT_HISTORIES ?? 15);
const from = Number(process.env.MANAGER_HISTORIES_FROM ?? 1);

function drawFault(random: Random): [Target, Fault] {
  const status: Fault = { kind: "status", code: random.pick([409, 429, 500, 503, 504]) };
  const committed = random.chance(0.5);
  return random.weighted<[Target, Fault]>([
    [4, ["write", status]],
    [4, ["write", { kind: "reset", committed }]],
    [2, ["write", { kind: "late", before: random.int(0, 3_000), after: random.int(0, 3_000) }]],
    [1, ["write", { kind: "silent", committed }]],
    [2, ["any", { kind: "refused" }]],
    [
      2,
      [
        "watch",
        { kind: "cut", afterLines: random.int(0, 3), share: 0.5, how: random.pick(["reset", "close"]) },
      ],
    ],
    [1, ["watch", { kind: "error event", afterLines: random.int(0, 3), code: 410 }]],
    [1, ["list", { kind: "half", share: 0.5, how: "close" }]],
  ]);
}

async function play(seed: number): Promise<{ problems: string[]; writes: number; retried: number }> {
  const random = createRandom(seed);
  const cluster = createMemoryCluster();
  const { clock, server } = cluster;
  const faulty = createFaultyTransport(server, { clock, random: random.fork("faults") });
  let writes = 0;
  const operator = cluster.manager({
    transport: {
      ...faulty,
      request(request) {
        if (request.method !== "GET") writes++;
        return faulty.request(request);
      },
      close: async () => {},
    },
  });
  const problems: string[] = [];
  const active = new Set<string>();
  const reconcile = reconcileMemcached(operator.manager);
  newControllerManagedBy(operator.manager)
    .for(memcacheds)
    .owns(deployments)
    .withOptions({ maxConcurrentReconciles: random.int(1, 4) })
    .complete(async (request, context) => {
      if (active.has(request.name)) problems.push(`${request.name} is reconciled twice at a time`);
      active.add(request.name);
      try {
        return await reconcile(request, context);
      } finally {
        active.delete(request.name);
      }
    });
  const stop = new AbortController();
  const ended = operator.manager.start(stop.signal);
  const objects = server.writes(memcacheds);
  for (let i = 0; i < 4; i++) objects.create({ ...memcached(`m${i}`, random.int(1, 5)) });
  for (let step = 0; step < 40; step++) {
    const name = `m${random.int(0, 4)}`;
    const act = random.weighted<() => void>([
      [4, () => faulty.arm(...drawFault(random), random.int(1, 4))],
      [3, () => void objects.mergePatch("default", name, { spec: { size: random.int(1, 5) } })],
      [
        1,
        () =>
          void objects.mergePatch("default", name, {
            status: { nodes: ["written", "by", "another", "client"] },
          }),
      ],
      [1, () => faulty.breakStreams({ how: random.pick(["reset", "close"]) })],
      [
        1,
        () => {
          const [first] = server.truth(deployments);
          if (first) server.writes(deployments).delete("default", first.metadata?.name ?? "");
        },
      ],
    ]);
    act();
    await clock.advance(random.int(0, 2_000));
  }
  faulty.heal();
  // Back-offs and silent connections have ended by then.
  await clock.advance(15 * 60_000);
  for (const object of server.truth(memcacheds) as Memcached[]) {
    const size = object.spec?.size;
    const own = server.truth(deployments).find(({ metadata }) => metadata?.name === object.metadata?.name);
    const replicas = (own?.spec as { replicas?: number } | undefined)?.replicas;
    if (replicas !== size || object.status?.nodes?.length !== size) {
      problems.push(
        `${object.metadata?.name} of size ${size} has ${replicas} replicas, ${object.status?.nodes}`,
      );
    }
  }
  const settled = writes;
  await clock.advance(3_600_000);
  if (writes !== settled) problems.push(`${writes - settled} writes although nothing has changed`);
  stop.abort();
  await clock.advance(31_000);
  await ended.catch((error) => problems.push(`it ended with ${error}`));
  const retried = operator.lines("Reconciler error").length;
  return { problems, writes, retried };
}

test(
  `${histories} histories of faults: one reconcile per key, the wanted final state, then no more writes`,
  async () => {
    let errors = 0;
    for (let seed = from; seed < from + histories; seed++) {
      const { problems, retried } = await play(seed);
      expect({ seed, problems }).toEqual({ seed, problems: [] });
      errors += retried;
    }
    expect(errors).toBeGreaterThan(histories);
  },
  60_000 + histories * 2_000,
);
