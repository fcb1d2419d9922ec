import { quantile } from "../sample.ts";
import { createLoad, inParallel, type Load } from "./load.ts";
import { podManifest } from "./pod.ts";
import type { Subject } from "./subject.ts";

/** The figures of one server in one run. */
export interface Measured {
  /** Pods created in a second, 16 at a time. */
  readonly createsPerSecond: number;
  /** Milliseconds of the 50th and 99th of 100 GETs of a Pod, 4 at a time. */
  readonly getP50: number;
  readonly getP99: number;
  /** Milliseconds for a list of 500 Pods, the median of 30. */
  readonly list500: number;
  /** Watch events that reached their clients in a second, with 100 clients for each write. */
  readonly fanOutPerSecond: number;
  /** Like getP99, beside `idleWatches` watches of another namespace and one client that never reads. */
  readonly crowdedP99: number;
  /** Bytes resident with `pods` Pods, above those of an idle server. */
  readonly memory: number;
}

export interface Sizes {
  readonly creates: number;
  readonly gets: number;
  readonly watchers: number;
  readonly writes: number;
  readonly idleWatches: number;
  /** The number of Pods for the memory figure. */
  readonly pods: number;
}

export const usualSizes: Sizes = {
  creates: 3_000,
  gets: 5_000,
  watchers: 100,
  writes: 200,
  idleWatches: 5_000,
  pods: 20_000,
};

/** Runs one fresh server through all scenarios. */
export async function measure(subject: Subject, sizes: Sizes): Promise<Measured> {
  const load = createLoad(subject, 16);
  try {
    await prepare(load);
    const idle = await subject.memory();
    const list500 = await timeLists(load);
    const createsPerSecond = await timeCreates(load, sizes.creates);
    const { p50, p99 } = await timeGets(load, sizes);
    const fanOutPerSecond = await timeFanOut(load, sizes);
    await fill(load, sizes);
    const memory = (await subject.memory()) - idle;
    const crowdedP99 = await timeCrowdedGets(subject, sizes);
    return { createsPerSecond, getP50: p50, getP99: p99, list500, fanOutPerSecond, crowdedP99, memory };
  } finally {
    load.close();
  }
}

async function prepare(load: Load): Promise<void> {
  for (const name of ["lists", "creates", "watches", "many"]) {
    await load.send("POST", "/api/v1/namespaces", {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name },
    });
    await load
      .send("POST", `/api/v1/namespaces/${name}/serviceaccounts`, {
        apiVersion: "v1",
        kind: "ServiceAccount",
        metadata: { name: "default" },
      })
      // A controller may have been faster.
      .catch(() => undefined);
  }
}

const pods = (namespace: string): string => `/api/v1/namespaces/${namespace}/pods`;

async function timeLists(load: Load): Promise<number> {
  await inParallel(500, 16, (index) => load.send("POST", pods("lists"), podManifest(`pod-${index}`)));
  const times: number[] = [];
  for (let index = 0; index < 40; index++) {
    const begin = performance.now();
    await load.send("GET", pods("lists"));
    // The first ones warm up the server's caches and compiler.
    if (index >= 10) times.push(performance.now() - begin);
  }
  return quantile(times, 0.5);
}

async function timeCreates(load: Load, count: number): Promise<number> {
  const begin = performance.now();
  await inParallel(count, 16, (index) => load.send("POST", pods("creates"), podManifest(`pod-${index}`)));
  return (count * 1000) / (performance.now() - begin);
}

async function timeGets(load: Load, { creates, gets }: Sizes): Promise<{ p50: number; p99: number }> {
  const times: number[] = [];
  await inParallel(gets, 4, async (index) => {
    const begin = performance.now();
    await load.send("GET", `${pods("creates")}/pod-${(index * 7) % creates}`);
    times.push(performance.now() - begin);
  });
  return { p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
}

/** Every watcher sees every write. The clock stops when the last watcher has seen the last write. */
async function timeFanOut(load: Load, { watchers, writes }: Sizes): Promise<number> {
  await load.send("POST", pods("watches"), podManifest("watched"));
  const expected = watchers * (writes + 1);
  let seen = 0;
  const all = Promise.withResolvers<void>();
  const onLine = () => {
    seen++;
    if (seen === expected) all.resolve();
  };
  await inParallel(watchers, 8, () => load.watch(`${pods("watches")}?watch=1`, onLine));
  const begin = performance.now();
  await inParallel(writes, 4, (index) =>
    load.send("PATCH", `${pods("watches")}/watched`, { metadata: { labels: { write: String(index) } } }),
  );
  await all.promise;
  return (watchers * writes * 1000) / (performance.now() - begin);
}

/**
 * Idle watches cost memory, and should cost other clients no time; nor should a client that does not read its
 * answer.
 */
async function timeCrowdedGets(subject: Subject, sizes: Sizes): Promise<number> {
  const crowd = createLoad(subject, 1);
  const load = createLoad(subject, 16);
  try {
    await inParallel(sizes.idleWatches, 16, () => crowd.watch(`${pods("watches")}?watch=1`, () => {}));
    await crowd.stall(`${pods("many")}?watch=1`);
    return (await timeGets(load, sizes)).p99;
  } finally {
    load.close();
    crowd.close();
  }
}

async function fill(load: Load, { pods: total, creates }: Sizes): Promise<void> {
  await inParallel(Math.max(0, total - creates - 501), 16, (index) =>
    load.send("POST", pods("many"), podManifest(`pod-${index}`)),
  );
}
