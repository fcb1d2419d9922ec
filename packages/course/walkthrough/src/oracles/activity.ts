import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { ActivityRecord } from "@operator-path/cluster";

/**
 * What Node loads first in the terminals of a run. Tests of a project drive their controllers as they like, so theirs
 * are left out.
 */
const preload = `import { subscribe } from "node:diagnostics_channel";
import { appendFileSync } from "node:fs";
const file = new URL(process.pid + ".jsonl", import.meta.url);
subscribe("operator-path:workqueue:taken", ({ queue, key }) => {
  if (process.env.VITEST || process.env.NODE_TEST_CONTEXT) return;
  const record = { at: Date.now(), type: "reconcile", process: String(process.pid), queue, key };
  appendFileSync(file, JSON.stringify(record) + "\\n");
});
`;

/**
 * Makes the folder in which a run's processes record what their controllers do.
 *
 * @returns NODE_OPTIONS that make a Node process record the keys that its work queues hand out
 */
export function makeTrace(folder: string): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "preload.mjs");
  writeFileSync(file, preload);
  return `--import=${pathToFileURL(file)}`;
}

/** Reads what the cluster and the processes of a run have recorded, in no order. A line being written is left out. */
export function readActivity(folder: string): ActivityRecord[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n").slice(0, -1))
    .map((line) => JSON.parse(line) as ActivityRecord);
}

export type RequestRecord = Extract<ActivityRecord, { type: "request" }>;

/** Returns the watches that are open. */
export function openWatches(records: readonly ActivityRecord[]): RequestRecord[] {
  const closed = new Set(records.flatMap((record) => (record.type === "watch-closed" ? [record.id] : [])));
  return records.filter(
    (record): record is RequestRecord =>
      record.type === "request" && record.id !== undefined && !closed.has(record.id),
  );
}

/** Tells an operator's requests from those of the page's kubectl and of the runner itself. */
export function isOperators({ client }: { readonly client: string }): boolean {
  return !/ (?:kubectl|walkthrough)(?:\/|$)/.test(client);
}

/** Leader election renews a Lease all the time. */
export function renewsLease({ path }: { readonly path: string }): boolean {
  return path.startsWith("/apis/coordination.k8s.io/");
}

/** Counts records by what they are about. */
export function countBy<R>(records: Iterable<R>, nameOf: (record: R) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const record of records) {
    const name = nameOf(record);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

/** More in a second of the same is a loop: what the pages do makes 32 at most. */
const perSecond = 100;

/**
 * Returns what happened more than a hundred times within a second, a line each: reconciles of one key, and requests of one
 * kind by one client.
 */
export function bursts(records: readonly ActivityRecord[]): string[] {
  const times = new Map<string, number[]>();
  for (const record of records) {
    const what = describe(record);
    if (what === undefined) continue;
    const known = times.get(what);
    if (known) known.push(record.at);
    else times.set(what, [record.at]);
  }
  return [...times].flatMap(([what, at]) => {
    const most = mostWithinASecond(at);
    return most > perSecond ? [`${what} ${most} times within one second`] : [];
  });
}

function describe(record: ActivityRecord): string | undefined {
  if (record.type === "reconcile") {
    const { queue, process, key } = record;
    return `${queue === "" ? `process ${process}` : `controller ${queue}`} reconciled ${key}`;
  }
  if (record.type !== "request" || !isOperators(record) || renewsLease(record)) return undefined;
  return `client "${record.client}" sent ${record.method} ${record.path}`;
}

function mostWithinASecond(times: number[]): number {
  const sorted = times.toSorted((a, b) => a - b);
  let most = 0;
  let from = 0;
  for (const [to, at] of sorted.entries()) {
    while (at - (sorted[from] ?? at) >= 1000) from++;
    most = Math.max(most, to - from + 1);
  }
  return most;
}
