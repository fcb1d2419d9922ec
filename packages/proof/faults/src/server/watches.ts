import type { ApiError } from "@operator-path/client";
import { type Channel, createChannel } from "./channel.ts";
import { type Reading, versionNumber, versionOf } from "./lists.ts";
import { eventOf, selectionOf } from "./selection.ts";
import { expired, refusal, watchListForbidden } from "./statuses.ts";

export interface WatchRules {
  /**
   * The answer to `sendInitialEvents` (KEP-3157). Servers before 1.27 and some other implementations ignore
   * it.
   */
  watchList: "offered" | "refused" | "ignored";
  /** Milliseconds between two bookmarks. */
  bookmarkEvery: number;
  /** Rejects a compacted version with an ERROR event in the stream instead of the response's status. */
  expireInStream(): boolean;
}

export interface Watching {
  body: Channel;
  /** Sends a bookmark now, if this watch asked for bookmarks. */
  bookmark(): void;
}

/** Opens a watch. Calls `onClosed` when it ends, on either side. Throws ApiError. */
export async function openWatch(
  reading: Reading,
  rules: WatchRules,
  onClosed: () => void,
): Promise<Watching> {
  const { plural, namespace, query, replica, revisions, encoding, clock, signal } = reading;
  const matches = selectionOf(namespace, query);
  const bookmarks = isTrue(query.allowWatchBookmarks);
  const initial = isTrue(query.sendInitialEvents) && rules.watchList !== "ignored";
  if (initial) mayStream(reading, rules);
  const from = String(query.resourceVersion ?? "");
  const synthetic = initial || from === "" || from === "0";
  // A consistent read waits for the replica. A plain watch starts at its version.
  let sent = synthetic ? await versionOf(reading) : versionNumber(from);

  let stop = () => {};
  const body = createChannel(() => {
    stop();
    onClosed();
  });
  const bookmark = (end = false) => {
    if (bookmarks)
      body.push(
        encoding.bookmark(Math.max(sent, end ? 0 : Math.min(replica.version, revisions.version)), end),
      );
  };

  if (!synthetic && sent < revisions.compacted) {
    const error: ApiError = expired(sent, revisions.compacted);
    if (!rules.expireInStream()) throw error;
    body.push(encoding.event("ERROR", error.status));
    body.end();
    return { body, bookmark: () => {} };
  }
  if (synthetic) {
    for (const object of revisions.list(plural, sent).filter(matches))
      body.push(encoding.event("ADDED", object));
    if (initial) bookmark(true);
  }

  function catchUp(): void {
    if (replica.version <= sent) return;
    const news = revisions.between(plural, sent, replica.version);
    sent = replica.version;
    for (const revision of news) {
      const event = eventOf(revision, matches);
      if (event) body.push(encoding.event(event.type, event.object));
    }
  }

  const onAbort = () => body.fail(signal?.reason);
  const seconds = Number(query.timeoutSeconds ?? 0);
  const ends = seconds > 0 ? clock.setTimeout(() => body.end(), seconds * 1_000) : undefined;
  let beats = clock.setTimeout(beat, rules.bookmarkEvery);
  function beat(): void {
    bookmark();
    beats = clock.setTimeout(beat, rules.bookmarkEvery);
  }
  const unsubscribe = replica.onVersion(catchUp);
  stop = () => {
    unsubscribe();
    clock.clearTimeout(ends);
    clock.clearTimeout(beats);
    signal?.removeEventListener("abort", onAbort);
  };
  signal?.addEventListener("abort", onAbort, { once: true });
  catchUp();
  return { body, bookmark: () => bookmark() };
}

function mayStream({ query }: Reading, { watchList }: WatchRules): void {
  if (watchList === "refused") throw watchListForbidden();
  if (query.resourceVersionMatch !== "NotOlderThan") {
    const rule = "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan";
    throw refusal(422, "Invalid", `resourceVersionMatch: Forbidden: ${rule}`);
  }
}

const isTrue = (value: unknown) => value === true || value === "true" || value === "1";
