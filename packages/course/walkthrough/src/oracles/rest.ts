import { setTimeout as sleep } from "node:timers/promises";
import type { ActivityRecord } from "@operator-path/cluster";
import { bursts, countBy, isOperators, openWatches, type RequestRecord, renewsLease } from "./activity.ts";

/** Rates, per second, that are allowed while nothing in the cluster changes. */
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
  /** Changes something that no controller cares for, so that it reconciles, and changes it back. Default: it is left out. */
  poke?(): Promise<void>;
}

/**
 * Waits until nothing happens in the cluster for a while: no object is written, no controller reconciles, no operator asks
 * for anything, and none has opened the same watch twice. Then pokes the operators: they may reconcile, and must not write
 * twice in a row.
 * Resolves to what still happened when the patience was over, a line for each; none when the cluster rests.
 */
export async function checkRest(o: RestOptions): Promise<string[]> {
  const deadline = Date.now() + o.patience;
  let began = Date.now();
  let before = await o.versions();
  let wroteOnce = false;
  for (;;) {
    await sleep(o.window, undefined, { signal: o.signal });
    const ended = Date.now();
    const after = await o.versions();
    const records = o.activity();
    // A loop does not end: no need to be patient.
    const hasty = bursts(records);
    if (hasty.length > 0) return hasty;
    const during = records.filter(({ at }) => at >= began && at < ended);
    const seconds = (ended - began) / 1000;
    const changed = changedPaths(before, after);
    const others = [
      ...reconciled(during, seconds, o.allowed.reconciles),
      ...requested(during, seconds, o.allowed.requests),
      ...twiceWatched(records),
    ];
    before = after;
    began = ended;
    if (changed.length > 0 || others.length > 0) {
      if (ended <= deadline) continue;
      const restless = [...(await written(changed, after, o)), ...others];
      if (restless.length > 0) return restless;
    }
    const writes = await wroteWhenPoked(o);
    // Once can be chance: a replica that became the leader just then tells of it. The next poke shows the difference.
    if (writes.length === 0 || wroteOnce || ended > deadline) return writes;
    wroteOnce = true;
    began = Date.now();
    before = await o.versions();
  }
}

type Versions = ReadonlyMap<string, ObjectVersion>;

function changedPaths(before: Versions, after: Versions): string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path)?.version !== after.get(path)?.version);
}

/** Milliseconds in which the writes of an object are counted, and between two looks. */
const counting = { time: 1000, pause: 25 };

/** Two looks show that an object was written, and more looks how often. */
async function written(paths: readonly string[], now: Versions, o: RestOptions): Promise<string[]> {
  if (paths.length === 0) return [];
  const writes = new Map<string, number>();
  const began = Date.now();
  let last = now;
  while (Date.now() - began < counting.time) {
    await sleep(counting.pause, undefined, { signal: o.signal });
    const next = await o.versions();
    for (const path of changedPaths(last, next)) writes.set(path, (writes.get(path) ?? 0) + 1);
    last = next;
  }
  const seconds = (Date.now() - began) / 1000;
  return paths.flatMap((path) => {
    const label = (now.get(path) ?? last.get(path))?.label ?? path;
    const count = writes.get(path) ?? 0;
    if (o.allowed.writes > 0 && count / seconds <= o.allowed.writes) return [];
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

function requested(records: readonly ActivityRecord[], seconds: number, allowed: number): string[] {
  return tooMany(countBy(operatorRequests(records), describeRequest), seconds, allowed);
}

function operatorRequests(records: readonly ActivityRecord[]): RequestRecord[] {
  return records.filter(
    (record): record is RequestRecord =>
      record.type === "request" && isOperators(record) && !renewsLease(record),
  );
}

function describeRequest({ client, method, path }: RequestRecord): string {
  return `client "${client}" sent ${method} ${path}`;
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

/** An operator that is called although nothing differs has nothing to write, and a write that changes nothing is one. */
async function wroteWhenPoked(o: RestOptions): Promise<string[]> {
  if (!o.poke) return [];
  const began = Date.now();
  await o.poke();
  await sleep(o.window / 2, undefined, { signal: o.signal });
  const writes = operatorRequests(o.activity()).filter(({ at, method }) => at >= began && method !== "GET");
  const seconds = (Date.now() - began) / 1000;
  return tooMany(countBy(writes, describeRequest), seconds, o.allowed.writes).map(
    (what) => `${what}, although nothing had changed`,
  );
}

function tooMany(counts: ReadonlyMap<string, number>, seconds: number, allowed: number): string[] {
  return [...counts].flatMap(([what, count]) =>
    count / seconds > allowed ? [`${what} ${times(count, seconds)}`] : [],
  );
}

function times(count: number, seconds: number): string {
  return `${count === 1 ? "once" : `${count} times`} in ${seconds.toFixed(1)} s`;
}
