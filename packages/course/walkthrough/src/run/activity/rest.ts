import { setTimeout as sleep } from "node:timers/promises";
import type { ActivityRecord } from "@operator-path/cluster";
import { countBy, isOperators, openWatches } from "./read-activity.ts";

/** How often things may happen in a second while nobody changes anything. */
export interface RestRates {
  /** Times that one key of a controller is reconciled. */
  readonly reconciles: number;
  /** Writes that one object sees. */
  readonly writes: number;
  /** Requests of one kind that one client makes. */
  readonly requests: number;
}

/** An object of the cluster as two looks compare it. */
export interface ObjectVersion {
  readonly label: string;
  readonly version: string;
}

export interface RestOptions {
  /** Milliseconds in which nothing may happen. */
  readonly window: number;
  /** Milliseconds that what the page did last may take to settle. */
  readonly patience: number;
  readonly allowed: RestRates;
  readonly signal: AbortSignal;
  /** Objects by their path. */
  versions(): Promise<ReadonlyMap<string, ObjectVersion>>;
  activity(): readonly ActivityRecord[];
}

/**
 * Waits until nothing happens in the cluster for a while: no object is written, no controller reconciles, no operator asks
 * for anything, and none has opened the same watch twice. Resolves to what still happened when the patience was over, a line
 * for each; none when the cluster rests.
 */
export async function checkRest(o: RestOptions): Promise<string[]> {
  const deadline = Date.now() + o.patience;
  let before = await o.versions();
  for (;;) {
    const began = Date.now();
    await sleep(o.window, undefined, { signal: o.signal });
    const ended = Date.now();
    const after = await o.versions();
    const records = o.activity();
    const during = records.filter(({ at }) => at >= began && at < ended);
    const seconds = (ended - began) / 1000;
    const restless = [
      ...(await written(before, after, o)),
      ...reconciled(during, seconds, o.allowed.reconciles),
      ...requested(during, seconds, o.allowed.requests),
      ...twiceWatched(records),
    ];
    if (restless.length === 0 || ended > deadline) return restless;
    before = after;
  }
}

/** Milliseconds in which the writes of an object that changed are counted, and between two looks. */
const counting = { time: 1000, pause: 25 };

async function written(
  before: ReadonlyMap<string, ObjectVersion>,
  after: ReadonlyMap<string, ObjectVersion>,
  o: RestOptions,
): Promise<string[]> {
  const changed = new Set(
    [...before.keys(), ...after.keys()].filter(
      (path) => before.get(path)?.version !== after.get(path)?.version,
    ),
  );
  if (changed.size === 0) return [];
  // Two looks show that an object was written, and more looks how often.
  const writes = new Map<string, number>();
  const began = Date.now();
  for (let last = after; Date.now() - began < counting.time; ) {
    await sleep(counting.pause, undefined, { signal: o.signal });
    const now = await o.versions();
    for (const path of changed)
      if (last.get(path)?.version !== now.get(path)?.version) writes.set(path, (writes.get(path) ?? 0) + 1);
    last = now;
  }
  const seconds = (Date.now() - began) / 1000;
  return [...changed].flatMap((path) => {
    const label = (after.get(path) ?? before.get(path))?.label ?? path;
    const count = writes.get(path) ?? 0;
    if (count / seconds <= o.allowed.writes && o.allowed.writes > 0) return [];
    return [count === 0 ? `${label} was written` : `${label} was written ${times(count, seconds)} at least`];
  });
}

function reconciled(records: readonly ActivityRecord[], seconds: number, allowed: number): string[] {
  const reconciles = records.filter((record) => record.type === "reconcile");
  const counts = countBy(reconciles, ({ queue, key, process }) =>
    queue === "" ? `process ${process} reconciled ${key}` : `controller ${queue} reconciled ${key}`,
  );
  return tooMany(counts, seconds, allowed);
}

/** Leader election renews a Lease all the time. */
const renewals = /^\/apis\/coordination\.k8s\.io\//;

function requested(records: readonly ActivityRecord[], seconds: number, allowed: number): string[] {
  const requests = records.filter(
    (record) => record.type === "request" && isOperators(record) && !renewals.test(record.path),
  );
  const counts = countBy(requests, (record) =>
    record.type === "request" ? `client "${record.client}" asked for ${record.method} ${record.path}` : "",
  );
  return tooMany(counts, seconds, allowed);
}

function twiceWatched(records: readonly ActivityRecord[]): string[] {
  const counts = countBy(openWatches(records).filter(isOperators), ({ client, path, query }) => {
    const selectors = new URLSearchParams(query);
    const selection = ["fieldSelector", "labelSelector"]
      .flatMap((name) => (selectors.get(name) ? [`${name}=${selectors.get(name)}`] : []))
      .join("&");
    return `client "${client}" has opened the watch ${path}${selection && `?${selection}`}`;
  });
  return [...counts].flatMap(([what, count]) => (count > 1 ? [`${what} ${count} times`] : []));
}

function tooMany(counts: ReadonlyMap<string, number>, seconds: number, allowed: number): string[] {
  return [...counts].flatMap(([what, count]) =>
    count / seconds > allowed ? [`${what} ${times(count, seconds)}`] : [],
  );
}

function times(count: number, seconds: number): string {
  return `${count === 1 ? "once" : `${count} times`} in ${seconds.toFixed(1)} s`;
}
