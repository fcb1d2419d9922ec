import type { ClusterObject, ObjectScope } from "./cluster-objects.ts";

/** Objects without a namespace that the cluster makes by itself, for objects that have one. */
const byItself =
  /^(?:certificatesigningrequests|ipaddresses|nodes|persistentvolumes|runtimeclasses|volumeattachments)$/;

/**
 * Tells the objects that can be a page's own: in its namespace, what it `creates`, and what is in namespaces that it creates.
 *
 * @param creates resource and name, or how names begin: `namespaces/shop`, `clusterroles/shop-*`
 */
export function ownObjects(
  creates: readonly string[],
  namespace: string,
): (object: ClusterObject) => boolean {
  const declared = (object: string): boolean =>
    creates.some((one) => (one.endsWith("*") ? object.startsWith(one.slice(0, -1)) : object === one));
  return (object) =>
    object.namespace === undefined
      ? declared(`${object.resource}/${object.name}`)
      : object.namespace === namespace || declared(`namespaces/${object.namespace}`);
}

/** Where these objects are. */
export function scopeOf(creates: readonly string[], namespace: string): ObjectScope {
  const parts = creates.map((object) => object.split("/"));
  const named = parts.flatMap(([resource, name]) => (resource === "namespaces" && name ? [name] : []));
  return {
    namespaces: [...new Set([namespace, ...named])],
    resources: [...new Set(parts.flatMap(([resource]) => resource ?? []))],
  };
}

/** Returns the objects of a page that could be mistaken for other people's, each as its `creates` would list it. */
export function undeclaredObjects(
  made: readonly ClusterObject[],
  own: (object: ClusterObject) => boolean,
): string[] {
  const strange = made.filter(
    (object) => !object.volatile && !byItself.test(object.resource) && !own(object),
  );
  return [
    ...new Set(
      strange
        // Those in a namespace that is not declared either follow from it.
        .filter(
          ({ namespace }) =>
            namespace === undefined ||
            !strange.some((other) => other.resource === "namespaces" && other.name === namespace),
        )
        .map(({ namespace, resource, name, label }) =>
          namespace === undefined ? `${resource}/${name}` : label,
        ),
    ),
  ].toSorted();
}
