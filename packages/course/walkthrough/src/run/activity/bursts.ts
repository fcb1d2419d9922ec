import type { ActivityRecord } from "@operator-path/cluster";
import { isOperators, renewsLease } from "./read-activity.ts";

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
