import { type ConfigMap, configMaps, createClientOn, isConflict } from "@operator-path/client";
import { createFakeClock } from "@operator-path/client/testing";
import {
  createFaultyTransport,
  createRandom,
  createSimulatedServer,
  type Fault,
  type Random,
} from "@operator-path/faults";
import { isOlder } from "@operator-path/informers";
import { expect, test } from "vitest";
import { createCache } from "../cache/create-cache.ts";
import { createObjectClient } from "./create-client.ts";
import { ignoreNotFound } from "./errors.ts";

function drawWatchFault(random: Random): Fault {
  const afterLines = random.int(0, 4);
  return random.pick<Fault>([
    { kind: "cut", afterLines, share: 0.5, how: random.pick(["reset", "close", "silence"] as const) },
    { kind: "brief", ms: random.int(1, 2_000), how: "close" },
    { kind: "old", lines: random.int(1, 8) },
    { kind: "twice", lines: random.int(1, 8) },
    { kind: "error event", afterLines, code: 410 },
    { kind: "status", code: random.pick([410, 429, 500]) },
    { kind: "late", before: random.int(0, 500), after: random.int(0, 500) },
  ]);
}

function drawWriteFault(random: Random): Fault {
  return random.pick<Fault>([
    { kind: "late", before: random.int(0, 500), after: random.int(0, 500) },
    { kind: "reset", committed: random.chance(0.5) },
    { kind: "status", code: 500 },
  ]);
}

/**
 * Three workers. Each reads an object, checks that it is not older than its own last write, and writes it
 * again.
 */
async function play(seed: number) {
  const random = createRandom(seed);
  const clock = createFakeClock();
  const server = createSimulatedServer({ clock, random, resources: [{ resource: configMaps }] });
  const network = createFaultyTransport(server, { clock, random });
  const log: string[] = [];
  const connection = createClientOn(network);
  const cache = createCache(connection, {
    clock,
    random: () => random.next(),
    log: (line) => log.push(line),
  });
  const client = createObjectClient(connection, { cache: { reader: cache } });
  const stop = new AbortController();
  const run = cache.start(stop.signal);
  const given = () => log.filter((line) => line.includes("has not received a write")).length;
  const counts = { reads: 0, givenUp: 0, stale: [] as string[] };

  async function work(worker: number): Promise<void> {
    let wrote: { version: string; givenUp: number; isGone: boolean } | undefined;
    const key = { namespace: "shop", name: `object-${worker}` };
    const fresh: ConfigMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { ...key } };
    while (!stop.signal.aborted) {
      const read = await client.get(configMaps, key, { signal: stop.signal }).catch(ignoreNotFound);
      counts.reads++;
      // A cache that lags for five seconds logs it and answers with its state. That is not an error.
      if (wrote && wrote.givenUp === given()) {
        const isStale = wrote.isGone
          ? read !== undefined && !isOlder(wrote.version, read.metadata?.resourceVersion ?? "")
          : !read || isOlder(read.metadata?.resourceVersion ?? "", wrote.version);
        if (isStale)
          counts.stale.push(
            `${key.name}: wrote ${JSON.stringify(wrote)}, read ${read?.metadata?.resourceVersion}`,
          );
      }
      try {
        if (read && random.chance(0.2)) {
          await client.delete(read);
          wrote = { version: read.metadata?.resourceVersion as string, givenUp: given(), isGone: true };
        } else {
          const data = { count: String(counts.reads) };
          const stored = read
            ? await client.update({ ...read, data })
            : await client.create({ ...fresh, data });
          wrote = { version: stored.metadata?.resourceVersion as string, givenUp: given(), isGone: false };
        }
      } catch (error) {
        // Whether the write was stored is unknown. A conflict shows that an earlier attempt was.
        if (!isConflict(error) || given() === 0) wrote = undefined;
      }
      await clock.sleep(random.int(0, 60), stop.signal).catch(() => {});
    }
  }

  const workers = [0, 1, 2].map((worker) =>
    work(worker).catch((error) => expect(error).toBe(stop.signal.reason)),
  );
  for (let step = 0; step < 40; step++) {
    if (random.chance(0.4)) network.arm("watch", drawWatchFault(random));
    if (random.chance(0.3)) network.arm("write", drawWriteFault(random));
    if (random.chance(0.2))
      network.breakStreams({ how: random.pick(["reset", "close", "silence"] as const) });
    await clock.advance(random.int(1, 400));
  }
  counts.givenUp = given();
  stop.abort(new Error("over"));
  let isOver = false;
  const over = Promise.all([...workers, run]).finally(() => {
    isOver = true;
  });
  // Leave time for late writes and for those without an answer.
  while (!isOver) await clock.advance(1_000);
  await over;
  return counts;
}

test("never reads a state older than its own write without logging it, whatever fails", async () => {
  const total = { reads: 0, givenUp: 0 };
  for (let seed = 1; seed <= 20; seed++) {
    const { reads, givenUp, stale } = await play(seed);
    expect(stale, `seed ${seed}`).toEqual([]);
    total.reads += reads;
    total.givenUp += givenUp;
  }
  expect(total.reads).toBeGreaterThan(1_000);
  expect(total.givenUp).toBeGreaterThan(0);
});
