import { qualified } from "../../apimachinery/errors.ts";

/** Returns the collection of a resource, the same for all of its versions: `pods`, `deployments.apps`. */
export function collectionOf(type: { group: string; plural: string }): string {
  return qualified(storedGroup(type), type.plural);
}

/** Returns the group in which objects of a type are stored. Errors about an invalid object name it. */
export function storedGroup({ group }: { group: string }): string {
  // core/v1 and events.k8s.io/v1 are two views of the same events.
  return group === "events.k8s.io" ? "" : group;
}

/** Returns the key of an object within its collection; `namespace` is "" for a cluster-scoped one. */
export function keyOf(namespace: string, name: string): string {
  return namespace === "" ? name : `${namespace}/${name}`;
}
