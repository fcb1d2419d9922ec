import { setTimeout as sleep } from "node:timers/promises";
import type { ActivityRecord } from "@operator-path/cluster";
import { bursts, countBy, isOperators, openWatches, type RequestRecord, renewsLease } from "./activity.ts";

/** Rates per second that are allowed while the cluster does not change. */
export interface RestRates {
  /** Reconciles of one key of a controller. */
  readonly reconciles: number;
  /** Writes of one object. */
  readonly writes: number;
  /** Requests of one client with the same method and path. */
  readonly requests: number;
}

/** An object of the cluster, to compare between two lists. */
export interface ObjectVersion {
  readonly label: string;
  readonly version: string;
}

export interface RestOptions {
  /** How long the cluster must stay unchanged, in milliseconds. */
  readonly window: number;
  /** How long the cluster may take to settle after the page's last action, in milliseconds. */
  readonly patience: number;
  readonly allowed: RestRates;
  readonly signal: AbortSignal;
  /** Returns the objects by path. */
  versions(): Promise<ReadonlyMap<string, ObjectVersion>>;
  /** Returns all records so far. */
  activity(): readonly ActivityRecord[];
  /**
   * Makes controllers reconcile: changes an annotation that none of them reads, and changes it back. Default:
   * no poke.
   */
  poke?(): Promise<void>;
}

/**
 * Waits until the cluster rests for a while: no object is written, no controller reconciles, no operator
 * sends a request, and no operator has the same watch open twice. Then pokes the operators. They may
 * reconcile, but must not write after two pokes in a row.
 *
 * Resolves to a line for each activity that went on after `patience`. Empty if the cluster rests.
 */
export async function checkRest(options: RestOptions): Promise<string[]> {
  const deadline = Date.now() + options.patience;
  let began = Date.now();
  let before = await options.versions();
  let wroteOnce = false;
  for (;;) {
    await sleep(options.window, undefined, { signal: options.signal });
    const ended = Date.now();
    const after = await options.versions();
    const records = options.activity();
    // A loop does not end, so waiting does not help.
    const loops = bursts(records);
    if (loops.length > 0) return loops;
    const during = records.filter(({ at }) => at >= began && at < ended);
    const seconds = (ended - began) / 1000;
    const changed = changedPaths(before, after);
    const others = [
      ...reconciled(during, seconds, options.allowed.reconciles),
      ...requested(during, seconds, options.allowed.requests),
      ...twiceWatched(records),
    ];
    before = after;
    began = ended;
    if (changed.length > 0 || others.length > 0) {
      if (ended <= deadline) continue;
      const restless = [...(await written(changed, after, options)), ...others];
      if (restless.length > 0) return restless;
    }
    const writes = await wroteWhenPoked(options);
    // One write can be chance: a replica that just became the leader writes an Event. The next poke decides.
    if (writes.length === 0 || wroteOnce || ended > deadline) return writes;
    wroteOnce = true;
    began = Date.now();
    before = await options.versions();
  }
}

type Versions = ReadonlyMap<string, ObjectVersion>;

function changedPaths(before: Versions, after: Versions): string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path)?.version !== after.get(path)?.version);
}

/** How long the writes of an object are counted, and the time between two lists, in milliseconds. */
const counting = { time: 1000, pause: 25 };

/**
 * Counts the writes of changed objects: two lists only show that an object was written, more lists show how
 * often.
 */
async function written(paths: readonly string[], now: Versions, options: RestOptions): Promise<string[]> {
  if (paths.length === 0) return [];
  const writes = new Map<string, number>();
  const began = Date.now();
  let last = now;
  while (Date.now() - began < counting.time) {
    await sleep(counting.pause, undefined, { signal: options.signal });
    const next = await options.versions();
    for (const path of changedPaths(last, next)) writes.set(path, (writes.get(path) ?? 0) + 1);
    last = next;
  }
  const seconds = (Date.now() - began) / 1000;
  return paths.flatMap((path) => {
    const label = (now.get(path) ?? last.get(path))?.label ?? path;
    const count = writes.get(path) ?? 0;
    if (options.allowed.writes > 0 && count / seconds <= options.allowed.writes) return [];
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

/**
 * Pokes the operators and returns their writes. A reconcile without a difference must not write, not even an
 * equal object.
 */
async function wroteWhenPoked(options: RestOptions): Promise<string[]> {
  if (!options.poke) return [];
  const began = Date.now();
  await options.poke();
  await sleep(options.window / 2, undefined, { signal: options.signal });
  const writes = operatorRequests(options.activity()).filter(
    ({ at, method }) => at >= began && method !== "GET",
  );
  const seconds = (Date.now() - began) / 1000;
  return tooMany(countBy(writes, describeRequest), seconds, options.allowed.writes).map(
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
