import type { ApiError } from "@operator-path/client";
import { type Channel, createChannel } from "./channel.ts";
import { type Reading, versionNumber, versionOf } from "./lists.ts";
import { eventOf, selectionOf } from "./selection.ts";
import { expired, refusal, watchListForbidden } from "./statuses.ts";

export interface WatchRules {
  /** What `sendInitialEvents` (KEP-3157) is met with. `ignored`: by servers before 1.27, and some that are no kube-apiserver. */
  watchList: "offered" | "refused" | "ignored";
  /** Milliseconds between two bookmarks. */
  bookmarkEvery: number;
  /** A version that is forgotten is refused by an ERROR event in a stream, or by the response's status. */
  expireInStream(): boolean;
}

export interface Watching {
  body: Channel;
  /** A bookmark now, if this watch asked for them. */
  bookmark(): void;
}

/** Opens a watch. Throws ApiError; `onClosed` is told of its end, whoever ended it. */
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
  // What a consistent read needs the replica to have is waited for; a plain watch starts where it was told to.
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
    const gone: ApiError = expired(sent, revisions.compacted);
    if (!rules.expireInStream()) throw gone;
    body.push(encoding.event("ERROR", gone.status));
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
  const unhear = replica.onVersion(catchUp);
  stop = () => {
    unhear();
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
