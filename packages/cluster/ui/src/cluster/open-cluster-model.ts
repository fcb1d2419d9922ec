import { type Client, type Clock, type KubeObject, systemClock } from "@operator-path/client";
import type { Change } from "@operator-path/informers";
import { isHeartbeat, summarizeChange, writerOf } from "./change-summary.ts";
import { watchEvents } from "./events-of-objects.ts";
import type { History } from "./history.ts";
import { createInformerRuns } from "./informer-runs.ts";
import type { ObjectVersion } from "./object-versions.ts";
import { viewOf, withoutManagedFields } from "./object-view.ts";
import { readPast } from "./read-past.ts";
import { replayPast } from "./replay-past.ts";
import { createTimeline, type EarlyEntry, type ModelListener } from "./timeline.ts";
import { watchKinds } from "./watched-kinds.ts";
import { discoverResources } from "./watched-resources.ts";
import type { ClusterName, EventView, KindState, ObjectView, TimelineEntry } from "./wire.ts";

export interface ClusterModelOptions {
  readonly client: Client;
  /** Names for people: the context and the server's URL. */
  readonly cluster: Pick<ClusterName, "context" | "server">;
  /** Default: all namespaces and the cluster-scoped objects. With a list, only what is in these namespaces. */
  readonly namespaces?: readonly string[];
  /** Ends the watches. */
  readonly signal: AbortSignal;
  readonly clock?: Clock;
  /** Entries of the time line. Default 5000. */
  readonly maxEntries?: number;
  /** Bytes of old versions of objects. Default 16 MiB. */
  readonly maxBytes?: number;
  /** Whether to read what the API server remembers from before, about the last five minutes. Default true. */
  readonly past?: boolean;
  /** Receives failures that are retried. Default: they are only in `kinds`. */
  readonly log?: (line: string) => void;
}

/**
 * A cluster as it is and as it was, kept by watches. It sends no mutating request.
 *
 * Promises: once the cluster is quiet, `history.now` equals the cluster. Memory is bounded by the cluster's size and
 * the limits, whatever the number of changes.
 *
 * Does not promise every intermediate state: changes made while a watch is down arrive as one.
 */
export interface ClusterModel {
  readonly cluster: ClusterName;
  readonly history: History;
  /** Returns the kinds that are watched, and what hinders a watch. */
  kinds(): KindState[];
  /** Returns whether every kind has been listed, or cannot be. */
  synced(): boolean;
  /** Resolves when `synced` becomes true. Rejects with the reason of the signal. */
  waitForSync(): Promise<void>;
  /**
   * Resolves when the history from before the view was opened has been added, or cannot be: a second after `synced`.
   * Rejects with the reason of the signal.
   */
  waitForPast(): Promise<void>;
  /**
   * Returns an object with its last change.
   *
   * @param seq the entry of the time line as of which the object is returned. Default: now
   * @returns undefined if there was no such object, or the history no longer contains it
   */
  versionOf(uid: string, seq?: number): ObjectVersion | undefined;
  /** Returns the newest Events of an object, newest first. */
  eventsOf(uid: string): EventView[];
  /** Adds entries that do not come from a watch. */
  record(entry: Omit<TimelineEntry, "seq">): void;
  /** Calls back for each entry. Returns a function that ends this. */
  subscribe(listener: ModelListener): () => void;
  /** Resolves when all watches have ended after the signal. */
  readonly done: Promise<void>;
}

/** Starts to watch a cluster. Resolves when the kinds are known; `waitForSync` waits for the objects. */
export async function openClusterModel(options: ClusterModelOptions): Promise<ClusterModel> {
  const { client, signal, clock = systemClock, namespaces = [], log = () => {} } = options;
  const timeline = createTimeline(options.maxEntries ?? 5000, options.maxBytes ?? 16 << 20);
  const { history, versions, record } = timeline;
  const runs = createInformerRuns(log);
  const synced = Promise.withResolvers<void>();
  const past = Promise.withResolvers<void>();
  for (const { promise } of [synced, past]) promise.catch(() => {});
  let isSynced = false;
  /** Entries from before the view was opened, until the past is read. */
  let early: EarlyEntry[] | undefined = [];

  function onChange(change: Change<KubeObject>): void {
    const object = withoutManagedFields(change.object);
    const view = viewOf(object);
    if (change.type === "deleted") {
      if (history.now.has(change.uid)) onDeleted(view, object);
      return;
    }
    // Objects that existed before the view are no news.
    if (change.isInInitialList && !isSynced) {
      history.seed(view);
      return;
    }
    const before = change.old && withoutManagedFields(change.old);
    const { uid, kind, namespace, name } = view;
    const entry = record({
      ...{ uid, kind, namespace, name, view, at: clock.now() },
      by: writerOf(change.oldMetadata, change.metadata, before && [before, object]),
      type: before ? "updated" : "added",
      text: before ? summarizeChange(before, object) : "",
      ...(before && isHeartbeat(before, object) && { heartbeat: true }),
    });
    versions.push({ entry, before, after: object });
  }

  function onDeleted({ uid, kind, namespace, name }: ObjectView, before: KubeObject | undefined): void {
    const entry = record({ uid, kind, namespace, name, at: clock.now(), type: "deleted", by: "", text: "" });
    if (before) versions.push({ entry, before, after: undefined });
  }

  /** Adds an entry of an earlier time to the past, if that is still to come. */
  function recordAt(entry: Omit<TimelineEntry, "seq">): void {
    if (early && entry.at < openedAt) early.push({ entry });
    else record(entry);
  }

  const openedAt = clock.now();
  const { resources, problems } = await discoverResources(client, signal);
  for (const problem of problems) log(problem);
  const common = { client, namespaces, runs, signal, clock, log };
  const kinds = watchKinds(resources, {
    ...common,
    onChange,
    onGone(objects) {
      for (const { metadata } of objects) {
        const view = history.now.get(metadata?.uid ?? "");
        if (view) onDeleted(view, undefined);
      }
    },
  });
  const eventsOf = watchEvents({
    ...common,
    onEvent(entry, isInInitialList, revision) {
      if (!isInInitialList) record(entry);
      else early?.push({ entry, revision });
    },
  });
  void begin().catch((error: unknown) => {
    synced.reject(error);
    past.reject(error);
  });

  async function begin(): Promise<void> {
    await kinds.settled();
    isSynced = true;
    timeline.reset();
    synced.resolve();
    const opened = new Map(history.now);
    if (options.past !== false) await addPast(opened);
    early = undefined;
    past.resolve();
  }

  async function addPast(opened: ReadonlyMap<string, ObjectView>): Promise<void> {
    const now = Math.max(0, ...Array.from(opened.values(), (view) => Number(view.resourceVersion)));
    const read = await readPast({ client, namespaces, resources: kinds.resources(), now, signal });
    const created = new Set(history.entries.map(({ uid }) => uid));
    const replayed = replayPast(read, { opened, isNew: (uid) => created.has(uid), now: openedAt });
    if (replayed) timeline.addPast(replayed, early ?? []);
    else log("the API server does not remember all changes from before: the history begins now");
  }

  return {
    cluster: { ...options.cluster, namespaces },
    history,
    kinds: () => kinds.states(),
    synced: () => isSynced,
    waitForSync: () => synced.promise,
    waitForPast: () => past.promise,
    versionOf(uid, at) {
      const current = kinds.find(uid);
      return versions.find(uid, at, current && withoutManagedFields(current));
    },
    eventsOf,
    record: recordAt,
    subscribe: timeline.subscribe,
    done: runs.done(signal),
  };
}
