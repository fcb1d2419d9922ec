import {
  apiVersionOf,
  type Client,
  isNotFound,
  type OwnerReference,
  type Resource,
} from "@operator-path/client";
import { hasFinalizer, isBeingDeleted } from "../objects.ts";
import { foregroundFinalizer, type GraphNode, type OwnershipGraph } from "./graph.ts";

/** An object's owners by what they mean for it. */
export interface ClassifiedOwners {
  /** They exist, and are not going to take their dependents with them: the object stays. */
  solid: OwnerReference[];
  /** They do not exist (any more). */
  absent: OwnerReference[];
  /** They are in foreground deletion, and wait for this object to go. */
  waiting: OwnerReference[];
  /** Whether each owner that exists is watched. If not, no watch reports its deletion, so the caller must retry later. */
  allWatched: boolean;
}

export interface OwnerLookup {
  /**
   * Remembers an owner whose deletion a watch has reported. `classify` then needs no server to know that it is absent,
   * so it works for owners whose CustomResourceDefinition was deleted with them. Only the 500 owners that were used last
   * are remembered, as in Go.
   */
  gone(owner: Pick<GraphNode, "uid" | "namespace">): void;
  /** Throws when a reference names a kind that is not served: such an owner may exist, so nothing may be deleted. */
  classify(dependent: GraphNode, references: OwnerReference[]): Promise<ClassifiedOwners>;
}

export interface OwnerLookupOptions {
  client: Client;
  graph: OwnershipGraph;
  resourceFor(apiVersion: string, kind: string): Resource | undefined;
}

/** As in Go: the size of absentOwnerCache (pkg/controller/garbagecollector, NewReferenceCache). */
const maxRemembered = 500;

export function createOwnerLookup({ client, graph, resourceFor }: OwnerLookupOptions): OwnerLookup {
  // Uids are never used twice, so an owner that was absent stays absent: its other dependents need not ask.
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

/** Puts the key last, and forgets the first one when there are too many. */
function remember<Value>(recent: Map<string, Value>, key: string, value: Value): void {
  recent.delete(key);
  recent.set(key, value);
  if (recent.size <= maxRemembered) return;
  for (const oldest of recent.keys()) {
    recent.delete(oldest);
    return;
  }
}

/** A reference has to be right in all its parts: a uid alone, of an object elsewhere, owns nothing. */
export function isSame(
  node: GraphNode,
  reference: OwnerReference,
  resource: Resource,
  namespace: string,
): boolean {
  return (
    node.name === reference.name &&
    node.namespace === namespace &&
    node.resource.kind === reference.kind &&
    node.resource.group === resource.group
  );
}

export function describe({ resource, namespace, name }: GraphNode): string {
  return `${apiVersionOf(resource)} ${resource.kind} ${namespace === "" ? name : `${namespace}/${name}`}`;
}
