import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ActivityRecord } from "@operator-path/cluster";

/**
 * Node loads this module first in the terminals of a run. It ignores tests, which may drive their controllers
 * as they like. It is CommonJS because Node then starts faster: an `--import` sets up the loader of ES modules
 * in every process and thread.
 */
const preload = `"use strict";
const { subscribe } = require("node:diagnostics_channel");
const { appendFileSync } = require("node:fs");
const { join } = require("node:path");
const file = join(__dirname, process.pid + ".jsonl");
subscribe("operator-path:workqueue:taken", ({ queue, key }) => {
  if (process.env.VITEST || process.env.NODE_TEST_CONTEXT) return;
  const record = { at: Date.now(), type: "reconcile", process: String(process.pid), queue, key };
  appendFileSync(file, JSON.stringify(record) + "\\n");
});
`;

/**
 * Creates the folder in which a run's processes record what their controllers do.
 *
 * @returns NODE_OPTIONS with which a Node process records the keys of its work queues
 */
export function makeTrace(folder: string): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "preload.cjs");
  writeFileSync(file, preload);
  // Node splits the variable at spaces, except within quotes.
  return `--require=${JSON.stringify(file)}`;
}

/**
 * Reads the records of the cluster and of the processes of a run, in no order. Skips a line that is being
 * written.
 */
export function readActivity(folder: string): ActivityRecord[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n").slice(0, -1))
    .map((line) => JSON.parse(line) as ActivityRecord);
}

export type RequestRecord = Extract<ActivityRecord, { type: "request" }>;

/** Returns the open watches. */
export function openWatches(records: readonly ActivityRecord[]): RequestRecord[] {
  const closed = new Set(records.flatMap((record) => (record.type === "watch-closed" ? [record.id] : [])));
  return records.filter(
    (record): record is RequestRecord =>
      record.type === "request" && record.id !== undefined && !closed.has(record.id),
  );
}

/** Reports whether a request is from an operator, and not from the page's kubectl or the run itself. */
export function isOperators({ client }: { readonly client: string }): boolean {
  return !/ (?:kubectl|walkthrough)(?:\/|$)/.test(client);
}

/** Reports whether a request is of leader election, which renews a Lease all the time. */
export function renewsLease({ path }: { readonly path: string }): boolean {
  return path.startsWith("/apis/coordination.k8s.io/");
}

/** Counts records by name. */
export function countBy<R>(records: Iterable<R>, nameOf: (record: R) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const record of records) {
    const name = nameOf(record);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

/** More of the same within a second is a loop: the pages reach 32 at most. */
const perSecond = 100;

/**
 * Returns a line for each loop: more than 100 reconciles of one key, or equal requests of one client, within
 * a second.
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
