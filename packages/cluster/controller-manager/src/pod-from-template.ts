import type { KubeObject, Pod, PodTemplateSpec, Resource } from "@operator-path/client";
import { nameOf, namespaceOf } from "./objects.ts";
import { controllerRef } from "./ownership.ts";

/** The Pod that a workload's template asks for, owned by the workload, with a generated name. */
export function podFromTemplate(
  template: PodTemplateSpec | undefined,
  owner: KubeObject,
  ownerResource: Resource,
): Pod {
  const { labels, annotations, finalizers } = template?.metadata ?? {};
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      generateName: podNamePrefix(owner),
      namespace: namespaceOf(owner),
      ...(labels && { labels: { ...labels } }),
      ...(annotations && { annotations: { ...annotations } }),
      ...(finalizers && { finalizers: [...finalizers] }),
      ownerReferences: [controllerRef(owner, ownerResource)],
    },
    ...(template?.spec && { spec: template.spec }),
  };
}

/** "name-", as long as names made from it are valid: what follows is five characters. */
function podNamePrefix(owner: KubeObject): string {
  const prefix = `${nameOf(owner)}-`;
  return prefix.length <= 248 ? prefix : nameOf(owner);
}
