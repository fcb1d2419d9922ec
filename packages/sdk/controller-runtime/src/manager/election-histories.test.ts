import { leases, type Transport } from "@operator-path/client";
import { createFakeClock } from "@operator-path/client/testing";
import { createRandom, type Random } from "@operator-path/faults";
import { LeadershipLostError } from "@operator-path/informers";
import { expect, test } from "vitest";
import { newControllerManagedBy } from "../builder/builder.ts";
import { mergeFrom } from "../client/patch.ts";
import { createScheme } from "../client/scheme.ts";
import { memcached, memcacheds } from "../controller/testing/memcached.ts";
import { createMemoryCluster } from "../controller/testing/memory-cluster.ts";
import { createTestManager } from "../controller/testing/test-manager.ts";
import { createProcess } from "./testing/stoppable-process.ts";

/** Set MANAGER_HISTORIES=200 for all of them. A failure names its seed. */
const histories = Number(process.env.MANAGER_HISTORIES ?? 15);
const from = Number(process.env.MANAGER_HISTORIES_FROM ?? 1);

async function play(seed: number) {
  const random = createRandom(seed);
  const base = createFakeClock();
  const { server } = createMemoryCluster();
  server.writes(memcacheds).create({ ...memcached("shared") });
  const original = memcached("shared");
  const problems: string[] = [];
  const acted: { at: number; who: string }[] = [];
  const holder = () =>
    (server.truth(leases)[0]?.spec as { holderIdentity?: string } | undefined)?.holderIdentity;
  const processes = [createProcess(base), createProcess(base)];
  const ends: Promise<unknown>[] = [];
  const stopAll = new AbortController();
  let lives = 0;

  /** One run of a process. The next one has another identity, as Pods have. */
  function begin(process: ReturnType<typeof createProcess>, random: Random): void {
    const identity = `life-${++lives}`;
    const faulty = process.transport(server);
    const transport: Transport = {
      ...faulty,
      request(request) {
        // Checked when it is sent. The time that it takes from here does not matter.
        if (request.method === "PATCH" && request.path.includes("memcacheds")) {
          if (holder() !== identity) {
            problems.push(`at ${base.now()} ${identity} acts, and ${holder()} holds the Lease`);
          }
          acted.push({ at: base.now(), who: identity });
        }
        return faulty.request(request);
      },
    };
    const { manager } = createTestManager({
      ...{ clock: { ...base, ...process.clock }, transport, random: random.next },
      scheme: createScheme(memcacheds),
      leaderElection: { id: "shared", namespace: "default", identity },
      gracefulShutdownTimeout: 10_000,
    });
    newControllerManagedBy(manager)
      .named("worker")
      .watchesRawSource({
        name: "once",
        start: (queue) => queue.add({ namespace: "default", name: "shared" }),
      })
      .complete(async () => {
        // Ignores its signal, and is slow.
        await process.clock.sleep(random.int(10, 3_000));
        const wanted = { ...original, metadata: { ...original.metadata, labels: { by: identity } } };
        await manager.client.patch(wanted, mergeFrom(original));
        return { requeueAfter: random.int(10, 500) };
      });
    const ended = manager.start(stopAll.signal).then(
      () => {},
      (error) => {
        if (!(error instanceof LeadershipLostError)) problems.push(`${identity} ended with ${error}`);
        if (!stopAll.signal.aborted) begin(process, random);
      },
    );
    ends.push(ended);
  }

  for (const [index, process] of processes.entries()) begin(process, random.fork(`process ${index}`));
  const heal = () => {
    for (const process of processes) process.partition(false);
  };
  const resume = () => {
    for (const process of processes) process.resume();
  };
  for (let step = 0; step < 25; step++) {
    await base.advance(random.int(100, 6_000));
    const process = random.pick(processes);
    random.weighted<() => void>([
      [3, process.stop],
      [3, () => process.partition(true)],
      [1, () => process.jump(random.int(1, 30_000))],
      [4, heal],
      [4, resume],
    ])();
  }
  heal();
  resume();
  await base.advance(60_000);
  const before = acted.length;
  await base.advance(20_000);
  if (acted.length === before) problems.push("no process acts, although all faults have ended");
  stopAll.abort();
  await base.advance(60_000);
  await Promise.all(ends);
  return { problems, acted: acted.length, leaders: new Set(acted.map(({ who }) => who)).size };
}

test(
  `two managers, one Lease, ${histories} histories of pauses, partitions and clock jumps: two never act at once`,
  async () => {
    let acts = 0;
    let changes = 0;
    for (let seed = from; seed < from + histories; seed++) {
      const { problems, acted, leaders } = await play(seed);
      expect({ seed, problems }).toEqual({ seed, problems: [] });
      acts += acted;
      changes += leaders - 1;
    }
    // Check that the histories are not trivial: leaders change and act.
    expect(acts).toBeGreaterThan(histories * 10);
    expect(changes).toBeGreaterThan(histories / 2);
  },
  60_000 + histories * 2_000,
);
