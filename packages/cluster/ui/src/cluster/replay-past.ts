import type { KubeObject } from "@operator-path/client";
import { isHeartbeat, looksLikeHeartbeat, summarizeChange, writerOf } from "./change-summary.ts";
import { viewOf, withoutManagedFields } from "./object-view.ts";
import type { Past, PastWrite } from "./read-past.ts";
import type { ObjectView, TimelineEntry } from "./wire.ts";

/** A change of the past: its entry, and the object on both sides of it. */
export interface PastChange {
  readonly entry: Omit<TimelineEntry, "seq">;
  readonly revision: number;
  readonly before: KubeObject | undefined;
  readonly after: KubeObject | undefined;
}

export interface Replayed {
  /** The objects before the first change. */
  readonly base: readonly ObjectView[];
  readonly changes: readonly PastChange[];
}

export interface ReplayOptions {
  /** The objects when the view was opened, by UID. */
  readonly opened: ReadonlyMap<string, ObjectView>;
  /** Returns whether an object has been created since then. */
  isNew(uid: string): boolean;
  /** When the view was opened. No change of the past is later. */
  readonly now: number;
}

/**
 * Turns the writes that a server remembers into changes that end with the objects when the view was opened. An object
 * that is older than the past is in `base` as it was after its first write in it: what that write changed is unknown.
 *
 * A write has no time. It gets that of its managedFields or of the write before it, in seconds, and writes of one
 * second are spread over it in their order.
 *
 * @returns undefined if the writes do not lead to these objects, because some are missing
 */
export function replayPast({ since, writes }: Past, options: ReplayOptions): Replayed | undefined {
  const { opened, isNew, now } = options;
  const base = new Map(opened);
  /** The last state of each object that was written. Undefined: deleted. */
  const states = new Map<string, KubeObject | undefined>();
  const changes: PastChange[] = [];
  const times = spread(timesOf(writes, now));
  for (const [index, { type, object, revision }] of writes.entries()) {
    const uid = object.metadata?.uid ?? "";
    const last = opened.get(uid);
    // The view's own watches report what came after.
    if (last ? revision > Number(last.resourceVersion) : isNew(uid)) continue;
    const previous = states.get(uid);
    const plain = withoutManagedFields(object);
    const view = viewOf(plain);
    if (!states.has(uid)) {
      if (type === "ADDED") base.delete(uid);
      else base.set(uid, view);
    }
    states.set(uid, type === "DELETED" ? undefined : object);
    const { kind, namespace, name } = view;
    const common = { uid, kind, namespace, name, at: times[index] ?? now };
    const before = previous && withoutManagedFields(previous);
    if (type === "DELETED") {
      changes.push({
        entry: { ...common, type: "deleted", by: "", text: "" },
        revision,
        before: plain,
        after: undefined,
      });
      continue;
    }
    const by = writerOf(previous?.metadata, object.metadata, before && [before, plain]);
    const text = before ? summarizeChange(before, plain) : "";
    const kindOfChange = type === "ADDED" ? "added" : "updated";
    const isBeat = before ? isHeartbeat(before, plain) : type !== "ADDED" && looksLikeHeartbeat(object);
    const heartbeat = isBeat ? ({ heartbeat: true } as const) : {};
    const entry = { ...common, ...heartbeat, view, by, text, type: kindOfChange } as const;
    changes.push({ entry, revision, before, after: plain });
  }
  for (const [uid, { resourceVersion }] of opened) {
    const seen = states.get(uid)?.metadata?.resourceVersion;
    if (states.has(uid) ? seen !== resourceVersion : Number(resourceVersion) > since) return undefined;
  }
  return { base: [...base.values()], changes };
}

/** Returns a time for each write, in whole seconds, that never goes back. */
function timesOf(writes: readonly PastWrite[], now: number): number[] {
  let last = 0;
  return writes.map(({ type, object: { metadata = {} } }) => {
    const known = [metadata.creationTimestamp, ...(metadata.managedFields ?? []).map(({ time }) => time)];
    const own =
      type === "DELETED" ? 0 : Math.max(...known.map((time) => Date.parse(String(time ?? "")) || 0));
    last = Math.min(now, Math.max(last, own));
    return last;
  });
}

/** Spreads equal times over the second that they stand for. */
function spread(times: readonly number[]): number[] {
  const counts = new Map<number, number>();
  for (const time of times) counts.set(time, (counts.get(time) ?? 0) + 1);
  let before: number | undefined;
  let place = 0;
  return times.map((time) => {
    place = time === before ? place + 1 : 0;
    before = time;
    return time + Math.floor((1000 * place) / (counts.get(time) ?? 1));
  });
}
