import { nameOf, type SimulatedObject } from "./objects.ts";
import type { Revisions } from "./revisions.ts";
import type { Writes } from "./writes.ts";

/**
 * Deletes what had owners, and has none left (the garbage collector, in the background). Finalizers hold it up. Of owners
 * whose kind is not served here it is not known whether they live.
 */
export function collectGarbage(
  revisions: Revisions,
  served: readonly { resource: { plural: string; kind: string }; writes: Writes }[],
): void {
  const objects = served.map((each) => ({ ...each, all: revisions.list(each.resource.plural) }));
  const alive = new Set(objects.flatMap(({ all }) => all.map(({ metadata }) => metadata?.uid)));
  const kinds = new Set(served.map(({ resource }) => resource.kind));
  for (const { all, writes } of objects)
    for (const object of all) if (isOrphan(object)) remove(object, writes);

  function isOrphan({ metadata }: SimulatedObject): boolean {
    const owners = metadata?.ownerReferences ?? [];
    const isGone = ({ uid, kind }: { uid: string; kind: string }) => kinds.has(kind) && !alive.has(uid);
    return owners.length > 0 && !metadata?.deletionTimestamp && owners.every(isGone);
  }
}

function remove(object: SimulatedObject, writes: Writes): void {
  const { namespace, name } = nameOf(object);
  writes.delete(namespace, name);
}
