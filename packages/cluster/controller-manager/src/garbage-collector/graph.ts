import {
  apiVersionOf,
  type Client,
  type KubeObject,
  type OwnerReference,
  type Resource,
} from "@operator-path/client";
import { createSharedInformer, unwrapTombstone } from "@operator-path/informers";
import { type DiscoveredResource, discoverResources, supports } from "../discovery.ts";
import type { InformerOptions, SharedCache } from "../informers.ts";
import { hasFinalizer, isBeingDeleted, nameOf, namespaceOf, uidOf } from "../objects.ts";

/** Set by a foreground deletion. The object stays until its dependents are deleted. */
export const foregroundFinalizer = "foregroundDeletion";
/** Set by an orphaning deletion. The object stays until its dependents have lost the reference. */
export const orphanFinalizer = "orphan";

/** The part of an object's metadata that ownership needs. */
export interface GraphNode {
  resource: Resource;
  namespace: string;
  name: string;
  uid: string;
  owners: OwnerReference[];
  isBeingDeleted: boolean;
  /** In foreground deletion: waits for its dependents to be deleted. */
  isDeletingDependents: boolean;
  /** In orphaning deletion: waits for its dependents to be released. */
  isOrphaningDependents: boolean;
}

/** Owners and dependents, as reported by watches. */
export interface OwnershipGraph {
  get(uid: string): GraphNode | undefined;
  /** Adds or replaces an object. Returns its new and its previous node. */
  set(resource: Resource, object: KubeObject): { node: GraphNode; previous?: GraphNode };
  delete(uid: string): GraphNode | undefined;
  /** Returns the objects that name this uid as an owner. The owner itself may be unknown. */
  dependents(uid: string): GraphNode[];
  /** Returns all objects of a resource. */
  of(resource: Resource): GraphNode[];
}

export function createOwnershipGraph(): OwnershipGraph {
  const nodes = new Map<string, GraphNode>();
  const dependents = new Map<string, Set<string>>();

  return {
    get: (uid) => nodes.get(uid),

    set(resource, object) {
      const previous = unlink(uidOf(object));
      const node = nodeOf(resource, object);
      nodes.set(node.uid, node);
      for (const { uid } of node.owners) {
        const known = dependents.get(uid);
        if (known === undefined) dependents.set(uid, new Set([node.uid]));
        else known.add(node.uid);
      }
      return { node, ...(previous && { previous }) };
    },

    delete: unlink,

    dependents: (uid) => [...(dependents.get(uid) ?? [])].flatMap((dependent) => nodes.get(dependent) ?? []),

    of: (resource) => [...nodes.values()].filter((node) => node.resource === resource),
  };

  function unlink(uid: string): GraphNode | undefined {
    const node = nodes.get(uid);
    for (const owner of node?.owners ?? []) {
      const known = dependents.get(owner.uid);
      known?.delete(uid);
      if (known?.size === 0) dependents.delete(owner.uid);
    }
    nodes.delete(uid);
    return node;
  }
}

function nodeOf(resource: Resource, object: KubeObject): GraphNode {
  const deleting = isBeingDeleted(object);
  return {
    resource,
    namespace: namespaceOf(object),
    name: nameOf(object),
    uid: uidOf(object),
    owners: object.metadata?.ownerReferences ?? [],
    isBeingDeleted: deleting,
    isDeletingDependents: deleting && hasFinalizer(object, foregroundFinalizer),
    isOrphaningDependents: deleting && hasFinalizer(object, orphanFinalizer),
  };
}

/** Whether `dependent` blocks the foreground deletion of its owner `uid`. */
export function blocks(dependent: GraphNode, uid: string): boolean {
  return dependent.owners.some((owner) => owner.uid === uid && owner.blockOwnerDeletion === true);
}

interface MonitorHandler {
  /** An object was added or changed. */
  seen(resource: Resource, object: KubeObject): void;
  gone(resource: Resource, object: KubeObject): void;
  /** The watch of this resource has ended, because the API server no longer serves this version. */
  dropped(resource: Resource): void;
}

interface MonitorsOptions extends InformerOptions {
  client: Client;
  /** Existing caches that run elsewhere. */
  shared: () => SharedCache[];
  handler: MonitorHandler;
}

/** Watches every resource that can be deleted, custom resources included. */
interface Monitors {
  /**
   * Discovers the resources and starts missing watches. The watch of a resource that is no longer served runs
   * until the server ends it: it may still report deletions that cannot be read any more.
   */
  sync(signal: AbortSignal): Promise<void>;
  /** Whether all watched resources have been listed. Stops waiting for a resource after 30 s. */
  hasSynced(): boolean;
  /** Returns the resource of a kind in any served version, or undefined if the kind is not served. */
  resourceFor(apiVersion: string, kind: string): Resource | undefined;
  /** Resolves when all watches started by `sync` have ended, which happens when its signal aborts. */
  stopped(): Promise<void>;
}

interface Monitor {
  resource: Resource;
  hasSynced(): boolean;
  since: number;
  /** Stops the watch at once, and reports the resource as dropped. */
  drop(): void;
  /** Does the same after the server has ended the watch and all its events were handled. */
  dropAfterWatch(): void;
  /** Cancels `dropAfterWatch`: the resource is served again. */
  keep(): void;
}

const patienceMs = 30_000;

/** Events are many, and their ownership does not matter. */
const ignored = new Set(["events", "events.k8s.io/events"]);

export function createMonitors({ client, shared, handler, clock, random, log }: MonitorsOptions): Monitors {
  const monitors = new Map<string, Monitor>();
  const kinds = new Map<string, Resource>();
  const running = new Set<Promise<void>>();

  return {
    async sync(signal) {
      const discovered = await discoverResources(client, signal);
      if (signal.aborted) return;
      kinds.clear();
      for (const resource of discovered) kinds.set(`${apiVersionOf(resource)}/${resource.kind}`, resource);

      const wanted = new Map(discovered.filter(isMonitored).map((resource) => [id(resource), resource]));
      for (const [key, monitor] of monitors) {
        const version = wanted.get(key)?.version;
        if (version === undefined) monitor.dropAfterWatch();
        else if (version === monitor.resource.version) monitor.keep();
        else monitor.drop();
      }
      for (const [key, resource] of wanted) {
        if (!monitors.has(key)) monitors.set(key, start(resource, signal));
      }
    },

    hasSynced: () =>
      [...monitors.values()].every(
        (monitor) => monitor.hasSynced() || clock.steady() - monitor.since > patienceMs,
      ),

    resourceFor: (apiVersion, kind) => kinds.get(`${apiVersion}/${kind}`),

    async stopped() {
      await Promise.all(running);
    },
  };

  function start(resource: Resource, signal: AbortSignal): Monitor {
    const existing = shared().find((entry) => id(entry.resource) === id(resource));
    const informer =
      existing?.informer ?? createSharedInformer(client, resource, { clock, random, log: logOrDrop });
    const registration = informer.addEventHandler({
      added: (object) => handler.seen(resource, object),
      updated: (_old, object) => handler.seen(resource, object),
      deleted: (object) => handler.gone(resource, unwrapTombstone(object)),
    });
    const stop = new AbortController();
    let ended = Promise.resolve();
    if (existing === undefined) {
      const run = informer.run(AbortSignal.any([signal, stop.signal])).finally(() => running.delete(run));
      running.add(run);
      ended = run;
    }
    let isEnding = false;
    const monitor: Monitor = {
      resource,
      hasSynced: () => registration.hasSynced(),
      since: clock.steady(),
      drop() {
        forget();
        registration.remove();
        handler.dropped(resource);
      },
      dropAfterWatch() {
        isEnding = true;
        if (existing !== undefined) monitor.drop();
        else if (hasFailed()) dropOnceHandled();
      },
      keep() {
        isEnding = false;
      },
    };
    return monitor;

    // An open watch reports no failures. The next watch fails with a 404.
    function hasFailed(): boolean {
      return informer.health().failures > 0;
    }

    function logOrDrop(line: string): void {
      if (isEnding && hasFailed()) dropOnceHandled();
      else log(line);
    }

    function dropOnceHandled(): void {
      if (stop.signal.aborted) return;
      forget();
      ended.then(() => {
        registration.remove();
        if (!signal.aborted) handler.dropped(resource);
      });
    }

    function forget(): void {
      stop.abort();
      monitors.delete(id(resource));
    }
  }
}

function isMonitored(resource: DiscoveredResource): boolean {
  return resource.preferred && supports(resource, "list", "watch", "delete") && !ignored.has(id(resource));
}

function id({ group, plural }: Resource): string {
  return group === "" ? plural : `${group}/${plural}`;
}
