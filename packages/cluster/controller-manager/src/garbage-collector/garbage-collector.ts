import {
  apiVersionOf,
  type Client,
  isNotFound,
  type KubeObject,
  type OwnerReference,
  type Resource,
} from "@operator-path/client";
import { createWorkQueue } from "@operator-path/informers";
import { type Controller, type ControllerContext, runController } from "../controller.ts";
import { hasFinalizer, isBeingDeleted, namespaceOf, uidOf } from "../objects.ts";
import {
  blocks,
  createMonitors,
  createOwnershipGraph,
  foregroundFinalizer,
  type GraphNode,
  type OwnershipGraph,
  orphanFinalizer,
} from "./graph.ts";

/** How often resources are discovered, in addition to each change of a CustomResourceDefinition. */
const discoveryIntervalMs = 30_000;

/**
 * Deletes objects whose owners were deleted. Watches every resource that can be deleted, keeps a graph of
 * owners and dependents, and checks the neighbours of each object that changes. (Kubernetes:
 * pkg/controller/garbagecollector.)
 * - Background deletion: the owner is deleted, then its dependents.
 * - Foreground deletion (finalizer foregroundDeletion): the owner waits for the dependents that block it.
 * - Orphan deletion (finalizer orphan): the dependents lose the owner reference and stay.
 *
 * Deletes an object only after the API server has reported that each owner is absent (no object of that name
 * and uid), was deleted, or is in foreground deletion. Deletes it only in the version in which its owners
 * were read. A deletion seen by a watch counts even after the owner's CRD was deleted.
 *
 * Promises neither order nor speed. If an owner's kind is not served and no watch has reported its deletion,
 * its dependents stay, because the owner may exist.
 */
export function createGarbageCollector(context: ControllerContext): Controller {
  const { client, informers, clock, random, log } = context;
  const graph = createOwnershipGraph();
  const queue = createWorkQueue<string>({ clock });
  const discovery = createWorkQueue<string>({ clock });
  const monitors = createMonitors({
    client,
    clock,
    random,
    log,
    shared: () => informers.inUse(),
    handler: {
      seen,
      gone(_resource, object) {
        const uid = uidOf(object);
        if (graph.dependents(uid).length > 0) owners.gone({ uid, namespace: namespaceOf(object) });
        removed(uid);
      },
      dropped(resource) {
        for (const { uid } of graph.of(resource)) removed(uid);
      },
    },
  });
  const owners = createOwnerLookup({ client, graph, resourceFor: monitors.resourceFor });

  const enqueueDiscovery = () => discovery.add("discovery");
  informers.customResourceDefinitions.addEventHandler({
    added: enqueueDiscovery,
    updated: enqueueDiscovery,
    deleted: enqueueDiscovery,
  });

  const collector = runController(context, { name: "garbage-collector", queue, workers: 10, reconcile });
  return { name: "garbage-collector", run };

  async function run(signal: AbortSignal): Promise<void> {
    const discoverer = runController(context, {
      name: "garbage-collector discovery",
      queue: discovery,
      workers: 1,
      async reconcile() {
        await monitors.sync(signal);
        discovery.addAfter("discovery", discoveryIntervalMs);
      },
    });
    enqueueDiscovery();
    await Promise.all([discoverer.run(signal), collector.run(signal)]);
    await monitors.stopped();
  }

  function seen(resource: Resource, object: KubeObject): void {
    const { node, previous } = graph.set(resource, object);

    // An owner in foreground deletion may have waited for this reference to be removed or to stop blocking.
    for (const owner of previous?.owners ?? []) {
      if (owner.blockOwnerDeletion && !blocks(node, owner.uid)) enqueueIfDeleting(owner.uid);
    }
    // A new reference may name an owner that does not exist or is in foreground deletion, or may have a wrong
    // name, kind or namespace.
    for (const reference of node.owners) {
      if (previous?.owners.some(({ uid }) => uid === reference.uid)) continue;
      const owner = graph.get(reference.uid);
      const isSuspect =
        owner === undefined || owner.name !== reference.name || owner.resource.kind !== reference.kind;
      if (isSuspect || owner.isDeletingDependents || isElsewhere(owner, node)) queue.add(node.uid);
    }

    if (node.isOrphaningDependents) queue.add(node.uid);
    else if (node.isDeletingDependents) {
      queue.add(node.uid);
      if (!previous?.isDeletingDependents) for (const { uid } of graph.dependents(node.uid)) queue.add(uid);
    }
  }

  function removed(uid: string): void {
    const node = graph.delete(uid);
    for (const dependent of graph.dependents(uid)) queue.add(dependent.uid);
    for (const owner of node?.owners ?? []) enqueueIfDeleting(owner.uid);
  }

  function enqueueIfDeleting(uid: string): void {
    if (graph.get(uid)?.isDeletingDependents) queue.add(uid);
  }

  async function reconcile(uid: string): Promise<undefined | "requeue"> {
    const node = graph.get(uid);
    if (node === undefined) return undefined;
    // Wait for all lists: an unlisted dependent may still block its owner.
    if (!monitors.hasSynced()) return "requeue";
    if (node.isBeingDeleted && !node.isDeletingDependents && !node.isOrphaningDependents) return undefined;

    const latest = await scope(client, node).get(node.name).catch(ignoreNotFound);
    if (latest?.metadata?.uid !== uid) {
      removed(uid);
      return undefined;
    }
    if (node.isOrphaningDependents) return orphanDependents(node, latest);
    if (node.isDeletingDependents) return finishForegroundDeletion(node, latest);
    return collect(node, latest);
  }

  /**
   * Deletes an object without a solid owner. If some owners are solid, removes the references to the others.
   */
  async function collect(node: GraphNode, latest: KubeObject): Promise<undefined | "requeue"> {
    const references = latest.metadata?.ownerReferences ?? [];
    if (references.length === 0) return undefined;
    const { solid, absent, waiting, allWatched } = await owners.classify(node, references).catch((error) => {
      throw new Error(`${describe(node)}: ${error instanceof Error ? error.message : error}`, {
        cause: error,
      });
    });

    if (solid.length > 0) {
      if (solid.length < references.length) await setOwners(node, latest, solid);
      return allWatched ? undefined : "requeue";
    }
    if (waiting.length > 0 && graph.dependents(node.uid).length > 0) {
      await remove(node, await unblockCycle(node, latest), "Foreground");
      return undefined;
    }
    const policy = hasFinalizer(latest, orphanFinalizer)
      ? "Orphan"
      : hasFinalizer(latest, foregroundFinalizer)
        ? "Foreground"
        : "Background";
    if (absent.length > 0 || waiting.length > 0) await remove(node, latest, policy);
    return undefined;
  }

  /** Two objects that own each other would wait forever. The current one stops blocking. */
  async function unblockCycle(node: GraphNode, latest: KubeObject): Promise<KubeObject> {
    if (!graph.dependents(node.uid).some(({ isDeletingDependents }) => isDeletingDependents)) return latest;
    const references = latest.metadata?.ownerReferences ?? [];
    const unblocked = references.map((reference) => ({ ...reference, blockOwnerDeletion: false }));
    return (await setOwners(node, latest, unblocked)) ?? latest;
  }

  async function finishForegroundDeletion(node: GraphNode, latest: KubeObject): Promise<undefined> {
    const blocking = graph.dependents(node.uid).filter((dependent) => blocks(dependent, node.uid));
    for (const dependent of blocking) if (!dependent.isDeletingDependents) queue.add(dependent.uid);
    if (blocking.length === 0) await removeFinalizer(node, latest, foregroundFinalizer);
  }

  async function orphanDependents(node: GraphNode, latest: KubeObject): Promise<undefined> {
    for (const dependent of graph.dependents(node.uid)) {
      const fresh = await scope(client, dependent).get(dependent.name).catch(ignoreNotFound);
      const references = fresh?.metadata?.ownerReferences ?? [];
      const others = references.filter(({ uid }) => uid !== node.uid);
      if (fresh?.metadata?.uid !== dependent.uid || others.length === references.length) continue;
      await setOwners(dependent, fresh, others);
    }
    await removeFinalizer(node, latest, orphanFinalizer);
  }

  async function removeFinalizer(node: GraphNode, latest: KubeObject, finalizer: string): Promise<void> {
    const finalizers = latest.metadata?.finalizers ?? [];
    if (!finalizers.includes(finalizer)) return;
    await patch(node, latest, { finalizers: finalizers.filter((other) => other !== finalizer) });
  }

  function setOwners(node: GraphNode, latest: KubeObject, ownerReferences: OwnerReference[]) {
    return patch(node, latest, { ownerReferences });
  }

  /**
   * Sends a merge patch, the only kind that all custom resources support. It replaces a list, so it carries
   * the resourceVersion that the list was computed from.
   */
  async function patch(
    node: GraphNode,
    latest: KubeObject,
    metadata: object,
  ): Promise<KubeObject | undefined> {
    const { uid, resourceVersion } = latest.metadata ?? {};
    const body = { metadata: { uid, resourceVersion, ...metadata } };
    return scope(client, node).patch(node.name, body, { type: "merge" }).catch(ignoreNotFound);
  }

  async function remove(
    node: GraphNode,
    latest: KubeObject,
    propagationPolicy: "Background" | "Foreground" | "Orphan",
  ): Promise<void> {
    const { uid, resourceVersion } = latest.metadata ?? {};
    const preconditions = { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) };
    await scope(client, node).delete(node.name, { propagationPolicy, preconditions }).catch(ignoreNotFound);
  }
}

function scope(client: Client, { resource, namespace }: GraphNode) {
  const all = client.resource(resource);
  return namespace === "" ? all : all.namespace(namespace);
}

/** A namespaced owner owns nothing outside its namespace. */
function isElsewhere(owner: GraphNode, dependent: GraphNode): boolean {
  return owner.namespace !== "" && owner.namespace !== dependent.namespace;
}

function ignoreNotFound(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}

/** An object's owner references, by the state of the owner. */
interface ClassifiedOwners {
  /** The owner exists and keeps its dependents. */
  solid: OwnerReference[];
  /** The owner does not exist. */
  absent: OwnerReference[];
  /** The owner is in foreground deletion and waits for this object. */
  waiting: OwnerReference[];
  /**
   * Whether each existing owner is watched. If not, no watch reports its deletion, so the caller must retry
   * later.
   */
  allWatched: boolean;
}

interface OwnerLookup {
  /**
   * Remembers an owner whose deletion a watch has reported. `classify` then knows without a request that it
   * is absent, even if the owner's CustomResourceDefinition was deleted too. Remembers the 500 most recently
   * used owners, as Go does.
   */
  gone(owner: Pick<GraphNode, "uid" | "namespace">): void;
  /**
   * Throws if a reference names a kind that is not served: the owner may exist, so nothing may be deleted.
   */
  classify(dependent: GraphNode, references: OwnerReference[]): Promise<ClassifiedOwners>;
}

interface OwnerLookupOptions {
  client: Client;
  graph: OwnershipGraph;
  resourceFor(apiVersion: string, kind: string): Resource | undefined;
}

/** The size of Go's absentOwnerCache (pkg/controller/garbagecollector, NewReferenceCache). */
const maxRemembered = 500;

export function createOwnerLookup({ client, graph, resourceFor }: OwnerLookupOptions): OwnerLookup {
  // Uids are never reused, so an absent owner stays absent, and its other dependents need no request.
  const knownAbsent = new Map<string, true>();
  const seenToGo = new Map<string, { namespace: string }>();

  return {
    gone({ uid, namespace }) {
      remember(seenToGo, uid, { namespace });
    },

    async classify(dependent, references) {
      const owners: ClassifiedOwners = { solid: [], absent: [], waiting: [], allWatched: true };
      for (const reference of references) {
        const state = await stateOf(reference, dependent);
        owners[state.is].push(reference);
        if (state.is !== "absent" && !state.watched) owners.allWatched = false;
      }
      return owners;
    },
  };

  async function stateOf(
    reference: OwnerReference,
    dependent: GraphNode,
  ): Promise<{ is: "solid" | "absent" | "waiting"; watched: boolean }> {
    const gone = seenToGo.get(reference.uid);
    // An object in another namespace never was its owner.
    if (gone && (gone.namespace === "" || gone.namespace === dependent.namespace)) {
      remember(seenToGo, reference.uid, gone);
      return { is: "absent", watched: true };
    }

    const resource = resourceFor(reference.apiVersion, reference.kind);
    if (resource === undefined) {
      throw new Error(`no matches for kind "${reference.kind}" in version "${reference.apiVersion}"`);
    }
    if (resource.namespaced && dependent.namespace === "") {
      throw new Error(
        `cluster-scoped, but refers to a namespaced owner (${reference.kind} "${reference.name}")`,
      );
    }
    const namespace = resource.namespaced ? dependent.namespace : "";

    const node = graph.get(reference.uid);
    if (node !== undefined && isSame(node, reference, resource, namespace)) {
      return { is: node.isDeletingDependents ? "waiting" : "solid", watched: true };
    }

    const key = [reference.apiVersion, reference.kind, namespace, reference.name, reference.uid].join("/");
    if (knownAbsent.has(key)) {
      remember(knownAbsent, key, true);
      return { is: "absent", watched: true };
    }
    const scope = client.resource(resource);
    const owner = await (namespace === "" ? scope : scope.namespace(namespace))
      .get(reference.name)
      .catch((error) => {
        if (!isNotFound(error)) throw error;
        return undefined;
      });
    if (owner === undefined || owner.metadata?.uid !== reference.uid) {
      remember(knownAbsent, key, true);
      return { is: "absent", watched: true };
    }
    const isWaiting = isBeingDeleted(owner) && hasFinalizer(owner, foregroundFinalizer);
    return { is: isWaiting ? "waiting" : "solid", watched: false };
  }
}

/** Moves the key to the end, and drops the oldest if there are too many. */
function remember<Value>(recent: Map<string, Value>, key: string, value: Value): void {
  recent.delete(key);
  recent.set(key, value);
  if (recent.size <= maxRemembered) return;
  for (const oldest of recent.keys()) {
    recent.delete(oldest);
    return;
  }
}

/** Every part of a reference must match. A uid of an object in another place owns nothing. */
function isSame(node: GraphNode, reference: OwnerReference, resource: Resource, namespace: string): boolean {
  return (
    node.name === reference.name &&
    node.namespace === namespace &&
    node.resource.kind === reference.kind &&
    node.resource.group === resource.group
  );
}

function describe({ resource, namespace, name }: GraphNode): string {
  return `${apiVersionOf(resource)} ${resource.kind} ${namespace === "" ? name : `${namespace}/${name}`}`;
}
