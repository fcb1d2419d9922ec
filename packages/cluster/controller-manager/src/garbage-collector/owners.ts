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
  /** Whether all that exist are watched. If not, nobody will tell when one goes: ask again, some time. */
  allWatched: boolean;
}

export interface OwnerLookup {
  /**
   * A watch has said that it was deleted. That stays true when its kind is not served any more, which it is not when
   * it went with its CustomResourceDefinition.
   */
  gone(owner: GraphNode): void;
  /** Throws when a reference names a kind that is not served: such an owner may exist, so nothing may be deleted. */
  classify(dependent: GraphNode, references: OwnerReference[]): Promise<ClassifiedOwners>;
}

export interface OwnerLookupOptions {
  client: Client;
  graph: OwnershipGraph;
  resourceFor(apiVersion: string, kind: string): Resource | undefined;
}

const maxRemembered = 500;

export function createOwnerLookup({ client, graph, resourceFor }: OwnerLookupOptions): OwnerLookup {
  // Uids are never used twice, so an owner that was absent stays absent: its other dependents need not ask.
  const knownAbsent = new Set<string>();
  const seenToGo = new Map<string, { namespace: string }>();

  return {
    gone({ uid, namespace }) {
      if (seenToGo.size >= maxRemembered) seenToGo.clear();
      seenToGo.set(uid, { namespace });
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
    // What is elsewhere never was its owner: that is told below.
    if (gone && (gone.namespace === "" || gone.namespace === dependent.namespace)) {
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
    if (knownAbsent.has(key)) return { is: "absent", watched: true };
    const scope = client.resource(resource);
    const owner = await (namespace === "" ? scope : scope.namespace(namespace))
      .get(reference.name)
      .catch((error) => {
        if (!isNotFound(error)) throw error;
        return undefined;
      });
    if (owner === undefined || owner.metadata?.uid !== reference.uid) {
      if (knownAbsent.size >= maxRemembered) knownAbsent.clear();
      knownAbsent.add(key);
      return { is: "absent", watched: true };
    }
    const isWaiting = isBeingDeleted(owner) && hasFinalizer(owner, foregroundFinalizer);
    return { is: isWaiting ? "waiting" : "solid", watched: false };
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
