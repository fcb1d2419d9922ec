import type { KubeObject, Pod, Resource } from "@operator-path/client";
import type { SharedInformer } from "@operator-path/informers";
import { namespaceOf, uidOf } from "./objects.ts";
import { controllerOf } from "./ownership.ts";

/**
 * Whom a change of the Pod concerns among the owners of one kind: the one that manages it; for an orphan, all that might
 * adopt it. (Kubernetes: resolveControllerRef and getPodControllers of the workload controllers.)
 */
export function possibleOwners<T extends KubeObject>(
  pod: Pod,
  resource: Resource<T>,
  informer: SharedInformer<T>,
  selects: (owner: T, pod: Pod) => boolean,
): T[] {
  const controller = controllerOf(pod);
  const inNamespace = informer.lister.namespace(namespaceOf(pod));
  // The compiler cannot tell that a Frozen<T> is a T while it does not know the fields of T.
  if (controller === undefined) return (inNamespace.list() as T[]).filter((owner) => selects(owner, pod));
  if (controller.kind !== resource.kind) return [];
  const owner = inNamespace.get(controller.name) as T | undefined;
  return owner !== undefined && uidOf(owner) === controller.uid ? [owner] : [];
}
