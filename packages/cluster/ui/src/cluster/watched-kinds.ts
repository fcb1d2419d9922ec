import {
  type Client,
  type Clock,
  type CustomResourceDefinition,
  customResourceDefinitions,
  isForbidden,
  type KubeObject,
} from "@operator-path/client";
import { type Change, createSharedInformer, type SharedInformer } from "@operator-path/informers";
import type { InformerRuns } from "./informer-runs.ts";
import { withoutSecrets } from "./object-view.ts";
import { resourceOf, type WatchedResource } from "./watched-resources.ts";
import type { KindState } from "./wire.ts";

export interface WatchedKindsOptions {
  readonly client: Client;
  /** Empty: all namespaces and the cluster-scoped objects. */
  readonly namespaces: readonly string[];
  readonly runs: InformerRuns;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  log(line: string): void;
  onChange(change: Change<KubeObject>): void;
  /** Called with the objects of a kind that is no longer served. */
  onGone(objects: readonly KubeObject[]): void;
}

/** The kinds of the view, each with its watch. Follows CustomResourceDefinitions. */
export interface WatchedKinds {
  states(): KindState[];
  resources(): readonly WatchedResource[];
  /** Returns the current object with managedFields, if it exists. */
  find(uid: string): KubeObject | undefined;
  /** Resolves when each kind has been listed or has failed: a kind without permission must not block the view. */
  settled(): Promise<void>;
}

interface Watched {
  readonly resource: WatchedResource;
  readonly informers: readonly SharedInformer<KubeObject>[];
  readonly stop: AbortController;
}

export function watchKinds(
  resources: readonly WatchedResource[],
  options: WatchedKindsOptions,
): WatchedKinds {
  const { client, namespaces, runs, signal, clock, log } = options;
  const watched = new Map<string, Watched>();
  /** Where the current object is, by UID. */
  const places = new Map<string, { readonly informer: SharedInformer<KubeObject>; readonly key: string }>();

  function watch(wanted: WatchedResource): void {
    const { resource, metadataOnly } = wanted;
    const id = `${resource.plural}.${resource.group}`;
    const known = watched.get(id)?.resource.resource;
    if (known?.version === resource.version && known.namespaced === resource.namespaced) return;
    if (namespaces.length > 0 && !resource.namespaced) return;
    unwatch(id);
    const stop = new AbortController();
    const ended = AbortSignal.any([signal, stop.signal]);
    const informers = (namespaces.length > 0 ? namespaces : [undefined]).map((namespace) => {
      const informer = createSharedInformer(client, resource, {
        ...(namespace !== undefined && { namespace }),
        store: metadataOnly ? "metadata" : "lazy",
        // They name the writer of each change.
        managedFields: true,
        freeze: false,
        clock,
        log,
        ...(resource.plural === "secrets" && { transform: withoutSecrets }),
      });
      informer.addEventHandler({
        changed(change) {
          if (change.type === "deleted") places.delete(change.uid);
          else places.set(change.uid, { informer, key: change.key });
          options.onChange(change);
        },
      });
      runs.run(informer, ended);
      return informer;
    });
    watched.set(id, { resource: wanted, informers, stop });
  }

  function unwatch(id: string): void {
    const old = watched.get(id);
    if (!old) return;
    watched.delete(id);
    old.stop.abort();
    // Deleting a CRD deletes its objects. The informer may stop before it reports that.
    options.onGone(old.informers.flatMap((informer) => informer.lister.list()));
  }

  /** Kinds appear and disappear while the view is open. */
  function watchDefinitions(): void {
    if (namespaces.length > 0) return;
    const definitions = createSharedInformer(client, customResourceDefinitions, {
      clock,
      freeze: false,
      log,
    });
    const idOf = ({ spec }: CustomResourceDefinition) => `${spec.names.plural}.${spec.group}`;
    definitions.addEventHandler({
      changed({ type, object }) {
        const served = type === "deleted" ? undefined : resourceOf(object);
        if (served) watch(served);
        else unwatch(idOf(object));
      },
    });
    runs.run(definitions, signal);
  }

  for (const resource of resources) watch(resource);
  watchDefinitions();
  return {
    states: () => [...watched.values()].map(stateOf),
    resources: () => [...watched.values()].map(({ resource }) => resource),
    find(uid) {
      const place = places.get(uid);
      return place?.informer.indexer.get(place.key);
    },
    async settled() {
      const all = [...watched.values()].flatMap(({ informers }) => informers);
      const isSettled = (informer: SharedInformer<KubeObject>) =>
        informer.hasSynced() || informer.health().failures > 0;
      while (!all.every(isSettled)) await clock.sleep(10, signal);
    },
  };
}

function stateOf({ resource: { resource }, informers }: Watched): KindState {
  const failed = informers.map((informer) => informer.health()).find(({ failures }) => failures > 0);
  const problem = failed?.lastError;
  const { kind, group } = resource;
  if (!problem) return { kind, group };
  return { kind, group, problem: isForbidden(problem) ? "you have no permission" : problem.message };
}
