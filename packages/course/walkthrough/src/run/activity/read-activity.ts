import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ActivityRecord } from "@operator-path/cluster";

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
