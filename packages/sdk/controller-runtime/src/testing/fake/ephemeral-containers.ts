import type { KubeObject, Pod, Resource } from "@operator-path/client";
import { isEqualJson } from "../../client/merge-patch.ts";
import { invalid } from "../../client/status-errors.ts";

/**
 * Returns the Pod with the ephemeral containers of `wanted`, and nothing else of it (KEP-277).
 *
 * @throws ApiError 422 when an existing ephemeral container would change or be removed
 */
export function withEphemeralContainers(resource: Resource, old: KubeObject, wanted: KubeObject): KubeObject {
  const pod = old as Pod;
  const containers = (wanted as Pod).spec?.ephemeralContainers ?? [];
  const name = pod.metadata?.name ?? "";
  const isStale = ![undefined, pod.metadata?.resourceVersion].includes(wanted.metadata?.resourceVersion);
  for (const there of pod.spec?.ephemeralContainers ?? []) {
    // As in a real server, a stale write is a conflict, which the store throws, before it is an invalid one.
    if (isStale) break;
    const then = containers.find((container) => container.name === there.name);
    if (isEqualJson(then, there)) continue;
    const why = `existing ephemeral containers ${JSON.stringify(there.name)} may not be ${then ? "changed" : "removed"}`;
    throw invalid(resource, name, "spec.ephemeralContainers", `Forbidden: ${why}\n`);
  }
  const metadata = { ...pod.metadata, resourceVersion: wanted.metadata?.resourceVersion };
  return { ...pod, metadata, spec: { ...pod.spec, ephemeralContainers: containers } } as KubeObject;
}
