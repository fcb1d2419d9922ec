import type { KubeObject, OwnerReference, Resource } from "@operator-path/client";
import { hasFinalizer, isBeingDeleted, nameOf, namespaceOf, uidOf } from "../objects.ts";

/** Set by a foreground deletion: the object stays until its dependents are gone. */
export const foregroundFinalizer = "foregroundDeletion";
/** Set by an orphaning deletion: the object stays until its dependents have forgotten it. */
export const orphanFinalizer = "orphan";

/** What the garbage collector remembers of an object: metadata, and only the part that ownership is made of. */
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

/** Who owns whom, as far as watches have told. */
export interface OwnershipGraph {
  get(uid: string): GraphNode | undefined;
  /** Adds or replaces an object. Returns its node, and the one that it had before. */
  set(resource: Resource, object: KubeObject): { node: GraphNode; previous?: GraphNode };
  delete(uid: string): GraphNode | undefined;
  /** The objects that name this one as an owner, whether it has been seen itself or not. */
  dependents(uid: string): GraphNode[];
  /** All objects of a resource. */
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

/** Whether `dependent` keeps its owner `uid` from finishing a foreground deletion. */
export function blocks(dependent: GraphNode, uid: string): boolean {
  return dependent.owners.some((owner) => owner.uid === uid && owner.blockOwnerDeletion === true);
}
