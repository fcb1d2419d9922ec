import { isDeepStrictEqual } from "node:util";
import type { Pod, Service } from "@operator-path/client";
import { keyOf, type SharedInformer, unwrapTombstone } from "@operator-path/informers";
import { isBeingDeleted, namespaceOf } from "../objects.ts";

/** Whether a Service selects a Pod. One without a selector selects nothing: its endpoints are made by somebody else. */
export function selectsPod({ spec }: Service, pod: Pod): boolean {
  if (spec?.selector === undefined || spec.type === "ExternalName") return false;
  const labels = pod.metadata?.labels ?? {};
  return Object.entries(spec.selector).every(([key, value]) => labels[key] === value);
}

/** The Services whose endpoints a change of a Pod may concern. Most changes of a Pod's status concern none. */
function servicesConcerned(services: SharedInformer<Service>, pod: Pod, old: Pod | undefined): Service[] {
  if (old !== undefined && isDeepStrictEqual(endpointView(old), endpointView(pod))) return [];
  return services.lister
    .namespace(namespaceOf(pod))
    .list()
    .filter((service) => selectsPod(service, pod) || (old !== undefined && selectsPod(service, old)));
}

/**
 * Enqueues the Services whose endpoints may change: those that change themselves, and those that a changed Pod concerns.
 * @returns to be called for a Pod that something else has happened to
 */
export function enqueueServices(
  informers: { services: SharedInformer<Service>; pods: SharedInformer<Pod> },
  queue: { add(key: string): void },
): (pod: Pod, old?: Pod) => void {
  informers.services.addEventHandler({
    added: (service) => queue.add(keyOf(service)),
    updated: (_old, service) => queue.add(keyOf(service)),
    deleted: (service) => queue.add(keyOf(unwrapTombstone(service))),
  });
  const podChanged = (pod: Pod, old?: Pod) => {
    for (const service of servicesConcerned(informers.services, pod, old)) queue.add(keyOf(service));
  };
  informers.pods.addEventHandler({
    added: (pod) => podChanged(pod),
    updated: (old, pod) => podChanged(pod, old),
    deleted: (pod) => podChanged(unwrapTombstone(pod)),
  });
  return podChanged;
}

function endpointView(pod: Pod) {
  const { spec, status, metadata } = pod;
  const ready = status?.conditions?.find(({ type }) => type === "Ready");
  return [
    metadata?.labels,
    status?.podIP,
    status?.podIPs,
    status?.phase,
    ready?.status,
    spec?.nodeName,
    spec?.hostname,
    spec?.subdomain,
    isBeingDeleted(pod),
  ];
}
