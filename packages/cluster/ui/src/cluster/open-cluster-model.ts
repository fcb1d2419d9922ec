import {
  type Client,
  type Clock,
  type CustomResourceDefinition,
  customResourceDefinitions,
  type Event,
  events,
  isForbidden,
  type KubeObject,
  systemClock,
} from "@operator-path/client";
import { type Change, createSharedInformer, type SharedInformer } from "@operator-path/informers";
import { summarizeChange, writerOf } from "./change-summary.ts";
import { createHistory, type History } from "./history.ts";
import { createObjectVersions, type ObjectVersion } from "./object-versions.ts";
import { viewOf, withoutManagedFields } from "./object-view.ts";
import { discoverResources, resourceOf, type WatchedResource } from "./watched-resources.ts";
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

export interface ModelListener {
  entry(entry: TimelineEntry): void;
  /** Objects have appeared without entries, because they existed before: read the history again. */
  reset(): void;
}

const mostEvents = 50;
const mostObjectsWithEvents = 2000;

interface Watched {
  readonly state: WatchedResource;
  readonly informers: readonly SharedInformer<KubeObject>[];
  readonly stop: AbortController;
}

/** Starts to watch a cluster. Resolves when the kinds are known; `waitForSync` waits for the objects. */
export async function openClusterModel(options: ClusterModelOptions): Promise<ClusterModel> {
  const { client, signal, clock = systemClock, namespaces = [], log = () => {} } = options;
  const history = createHistory(options.maxEntries ?? 5000);
  const versions = createObjectVersions(options.maxBytes ?? 16 << 20);
  const watched = new Map<string, Watched>();
  /** Where the current object is, by UID. */
  const places = new Map<string, { readonly informer: SharedInformer<KubeObject>; readonly key: string }>();
  const eventsByObject = new Map<string, EventView[]>();
  const listeners = new Set<ModelListener>();
  const runs = new Set<Promise<void>>();
  const synced = Promise.withResolvers<void>();
  synced.promise.catch(() => {});
  let isSynced = false;
  let seq = 0;
  let lastAt = 0;

  function record(given: Omit<TimelineEntry, "seq">): TimelineEntry {
    // The wall clock may be set back.
    lastAt = Math.max(lastAt, given.at);
    const entry = { ...given, at: lastAt, seq: ++seq };
    history.push(entry);
    for (const listener of listeners) listener.entry(entry);
    return entry;
  }

  function run<T extends KubeObject>(informer: SharedInformer<T>, stop: AbortSignal): void {
    const running = informer
      .run(stop)
      .catch((error: unknown) => log(String(error)))
      .finally(() => runs.delete(running));
    runs.add(running);
  }

  function watch(state: WatchedResource): void {
    const { resource } = state;
    const id = `${resource.plural}.${resource.group}`;
    const known = watched.get(id)?.state.resource;
    if (known?.version === resource.version && known.namespaced === resource.namespaced) return;
    if (namespaces.length > 0 && !resource.namespaced) return;
    unwatch(id);
    const stop = new AbortController();
    const ended = AbortSignal.any([signal, stop.signal]);
    const informers = (namespaces.length > 0 ? namespaces : [undefined]).map((namespace) => {
      const informer = createSharedInformer(client, resource, {
        ...(namespace !== undefined && { namespace }),
        store: state.metadataOnly ? "metadata" : "lazy",
        // Who wrote a change is in them.
        managedFields: true,
        freeze: false,
        clock,
        log,
        ...(resource.plural === "secrets" && { transform: withoutAppliedSecret }),
      });
      informer.addEventHandler({ changed: (change) => onChange(informer, change) });
      run(informer, ended);
      return informer;
    });
    watched.set(id, { state, informers, stop });
  }

  function unwatch(id: string): void {
    const old = watched.get(id);
    if (!old) return;
    watched.delete(id);
    old.stop.abort();
    // Its objects have ended with their definition. The informer may stop before it reports that.
    for (const informer of old.informers)
      for (const object of informer.lister.list()) {
        const view = history.now.get(object.metadata?.uid ?? "");
        if (view) ended(view, clock.now());
      }
  }

  function onChange(informer: SharedInformer<KubeObject>, change: Change<KubeObject>): void {
    const object = withoutManagedFields(change.object);
    const view = viewOf(object);
    const at = clock.now();
    if (change.type === "deleted") {
      places.delete(change.uid);
      if (history.now.has(change.uid)) {
        const entry = ended(view, at);
        versions.push(entry, object, undefined);
      }
      return;
    }
    places.set(change.uid, { informer, key: change.key });
    // Objects that existed before the view are no news.
    if (change.isInInitialList && !isSynced) {
      history.seed(view);
      return;
    }
    const old = change.old && withoutManagedFields(change.old);
    const { uid, kind, namespace, name } = view;
    const entry = record({
      ...{ uid, kind, namespace, name, view, at },
      by: writerOf(change.oldMetadata, change.metadata),
      type: old ? "updated" : "added",
      text: old ? summarizeChange(old, object) : "",
    });
    versions.push(entry, old, object);
  }

  function ended({ uid, kind, namespace, name }: ObjectView, at: number): TimelineEntry {
    return record({ ...{ uid, kind, namespace, name, at }, type: "deleted", by: "", text: "" });
  }

  function watchEvents(): void {
    for (const namespace of namespaces.length > 0 ? namespaces : [undefined]) {
      const informer = createSharedInformer(client, events, {
        ...(namespace !== undefined && { namespace }),
        store: "lazy",
        freeze: false,
        clock,
        log,
      });
      informer.addEventHandler({
        added: (event, isInInitialList) => onEvent(event, !isInInitialList),
        updated: (_old, event) => onEvent(event, true),
      });
      run(informer, signal);
    }
  }

  function onEvent(event: Event, isNew: boolean): void {
    const view = eventViewOf(event, clock.now());
    const { uid = "", kind = "", name = "", namespace = "" } = event.involvedObject;
    const list = eventsByObject.get(uid) ?? [];
    // A repeated Event replaces its older state.
    const rest = list.filter(({ reason, message }) => reason !== view.reason || message !== view.message);
    eventsByObject.delete(uid);
    eventsByObject.set(uid, [view, ...rest].sort((a, b) => b.at - a.at).slice(0, mostEvents));
    const [oldest] = eventsByObject.keys();
    if (eventsByObject.size > mostObjectsWithEvents && oldest !== undefined) eventsByObject.delete(oldest);
    if (!isNew) return;
    const text = `${view.reason}: ${view.message}`;
    record({
      ...{ uid, kind, name, namespace, text, at: clock.now(), type: "event" },
      ...{ by: view.source, warning: view.warning },
    });
  }

  /** Follows CustomResourceDefinitions, so that kinds appear and disappear while the view is open. */
  function watchDefinitions(): void {
    if (namespaces.length > 0) return;
    const definitions = createSharedInformer(client, customResourceDefinitions, {
      clock,
      freeze: false,
      log,
    });
    const follow = (definition: CustomResourceDefinition) => {
      const served = resourceOf(definition);
      if (served) watch(served);
      else unwatch(`${definition.spec.names.plural}.${definition.spec.group}`);
    };
    definitions.addEventHandler({
      changed: ({ type, object }) => {
        if (type === "deleted") unwatch(`${object.spec.names.plural}.${object.spec.group}`);
        else follow(object);
      },
    });
    run(definitions, signal);
  }

  function stateOf({ state: { resource }, informers }: Watched): KindState {
    const failed = informers.map((informer) => informer.health()).find(({ failures }) => failures > 0);
    const problem = failed?.lastError;
    const { kind, group } = resource;
    if (!problem) return { kind, group };
    return { kind, group, problem: isForbidden(problem) ? "you have no permission" : problem.message };
  }

  const { resources, problems } = await discoverResources(client, signal);
  for (const problem of problems) log(problem);
  for (const found of resources) watch(found);
  watchDefinitions();
  watchEvents();
  void awaitSync();

  /** Waits for each kind until it is listed or has failed: a kind without permission must not block the view. */
  async function awaitSync(): Promise<void> {
    try {
      const all = [...watched.values()].flatMap(({ informers }) => informers);
      const isSettled = (informer: SharedInformer<KubeObject>) =>
        informer.hasSynced() || informer.health().failures > 0;
      while (!all.every(isSettled)) await clock.sleep(10, signal);
      isSynced = true;
      for (const listener of listeners) listener.reset();
      synced.resolve();
    } catch (error) {
      synced.reject(error);
    }
  }

  const done = new Promise<void>((resolve) => {
    const end = () => void Promise.all(runs).then(() => resolve());
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
  return {
    cluster: { ...options.cluster, namespaces },
    history,
    kinds: () => [...watched.values()].map(stateOf),
    synced: () => isSynced,
    waitForSync: () => synced.promise,
    versionOf(uid, at) {
      const place = places.get(uid);
      const current = place?.informer.indexer.get(place.key);
      return versions.find(uid, at, current && withoutManagedFields(current));
    },
    eventsOf: (uid) => eventsByObject.get(uid) ?? [],
    record,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    done,
  };
}

/** The annotation of `kubectl apply` repeats a Secret's data. */
function withoutAppliedSecret<T extends KubeObject>(object: T): T {
  const { annotations } = object.metadata ?? {};
  if (!annotations) return object;
  const { "kubectl.kubernetes.io/last-applied-configuration": _, ...rest } = annotations;
  return { ...object, metadata: { ...object.metadata, annotations: rest } };
}

function eventViewOf(event: Event, now: number): EventView {
  const time =
    event.lastTimestamp ?? event.series?.lastObservedTime ?? event.eventTime ?? event.firstTimestamp;
  return {
    at: Date.parse(String(time ?? "")) || now,
    warning: event.type === "Warning",
    reason: event.reason ?? "",
    message: event.message ?? "",
    source: event.reportingComponent || event.source?.component || "",
    count: event.series?.count ?? event.count ?? 1,
  };
}
