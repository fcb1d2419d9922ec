import { isDeepStrictEqual } from "node:util";
import type { EndpointSlice, Node, Pod, Service, ServicePort } from "@operator-path/client";
import { keyOf, type SharedInformer, unwrapTombstone } from "@operator-path/informers";
import { isBeingDeleted, nameOf, namespaceOf, uidOf } from "../objects.ts";
import { isReady, isTerminal } from "../pods.ts";

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

export type Endpoint = NonNullable<EndpointSlice["endpoints"]>[number];
export type EndpointPort = NonNullable<EndpointSlice["ports"]>[number];
export type AddressType = "IPv4" | "IPv6";

const zoneLabel = "topology.kubernetes.io/zone";

/** Whether a Pod is an endpoint of the Services that select it: it has an address and has not ended. */
export function isEndpoint(pod: Pod): boolean {
  return !isTerminal(pod) && podAddresses(pod).length > 0;
}

/** The addresses of a Pod; status.podIP stands for status.podIPs where an old kubelet sets only that. */
export function podAddresses({ status }: Pod): string[] {
  const addresses = (status?.podIPs ?? []).map(({ ip }) => ip).filter((ip) => ip !== "");
  return addresses.length > 0 || !status?.podIP ? addresses : [status.podIP];
}

export function addressTypeOf(address: string): AddressType {
  return address.includes(":") ? "IPv6" : "IPv4";
}

/** A Pod as an EndpointSlice shows it. A Pod that is ending serves as long as it is ready, but is not ready any more. */
export function podEndpoint(
  pod: Pod,
  service: Service,
  addressType: AddressType,
  node: Node | undefined,
): Endpoint {
  const serving = isReady(pod);
  const terminating = isBeingDeleted(pod);
  const ready = service.spec?.publishNotReadyAddresses === true || (serving && !terminating);
  const zone = node?.metadata?.labels?.[zoneLabel];
  const nodeName = pod.spec?.nodeName;
  const endpoint: Endpoint = {
    addresses: podAddresses(pod).filter((address) => addressTypeOf(address) === addressType),
    conditions: { ready, serving, terminating },
    ...(hasHostname(pod, service) && { hostname: pod.spec?.hostname }),
    targetRef: { kind: "Pod", namespace: namespaceOf(pod), name: nameOf(pod), uid: uidOf(pod) },
    ...(nodeName && { nodeName }),
    ...(zone && { zone }),
  };
  const hints = ready ? hintsOf(service, zone, nodeName) : undefined;
  return hints === undefined ? endpoint : { ...endpoint, hints };
}

/** Only a Pod that names this Service as its subdomain has a name of its own in it. */
export function hasHostname({ spec }: Pod, service: Service): boolean {
  return Boolean(spec?.hostname) && spec?.subdomain === nameOf(service);
}

/** spec.trafficDistribution, in the endpoint's own words. */
function hintsOf(
  { spec }: Service,
  zone: string | undefined,
  nodeName: string | undefined,
): Endpoint["hints"] | undefined {
  const distribution = spec?.trafficDistribution;
  const isByNode = distribution === "PreferSameNode";
  if (!isByNode && distribution !== "PreferClose" && distribution !== "PreferSameZone") return undefined;
  const hints = {
    ...(zone && { forZones: [{ name: zone }] }),
    ...(isByNode && nodeName && { forNodes: [{ name: nodeName }] }),
  };
  return Object.keys(hints).length === 0 ? undefined : hints;
}

/** The ports of a Service on one Pod; a port whose name the Pod does not know is left out. */
export function podPorts(pod: Pod, service: Service): EndpointPort[] {
  return (service.spec?.ports ?? []).flatMap((port) => {
    const number = targetPort(pod, port);
    if (number === undefined) return [];
    return [
      {
        name: port.name ?? "",
        protocol: port.protocol ?? "TCP",
        port: number,
        ...(port.appProtocol !== undefined && { appProtocol: port.appProtocol }),
      },
    ];
  });
}

/** A named target port is looked up in the containers, sidecars last; each Pod may have another number for it. */
export function targetPort({ spec }: Pod, { targetPort: target, port, protocol = "TCP" }: ServicePort) {
  if (typeof target !== "string") return target ?? port;
  const sidecars = (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === "Always");
  return [...(spec?.containers ?? []), ...sidecars]
    .flatMap(({ ports = [] }) => ports)
    .find((candidate) => candidate.name === target && (candidate.protocol ?? "TCP") === protocol)
    ?.containerPort;
}

/** The annotation that says since when endpoints should have looked like this: what their latency is measured by. */
export const lastChangeTriggerTimeAnnotation = "endpoints.kubernetes.io/last-change-trigger-time";

interface TriggerTimes {
  /**
   * When the earliest change that has not been seen before was made (RFC 3339); undefined when there was none. For a
   * Service that is seen for the first time it is its creation. (k8s.io/endpointslice: TriggerTimeTracker.)
   */
  changedAt(service: Service, pods: Pod[]): string | undefined;
  forget(key: string): void;
}

export function createTriggerTimes(): TriggerTimes {
  const known = new Map<string, { service: string; pods: Map<string, string> }>();
  return {
    changedAt(service, pods) {
      const key = keyOf(service);
      const before = known.get(key);
      const created = service.metadata?.creationTimestamp ?? "";
      const times = new Map(pods.map((pod) => [nameOf(pod), readyTransition(pod)]));
      known.set(key, { service: created, pods: times });
      if (before === undefined) return created || undefined;
      // Of one format and one zone: they sort as texts.
      const changed = [...times].filter(([name, time]) => time > (before.pods.get(name) ?? ""));
      const candidates = [...changed.map(([, time]) => time), ...(created > before.service ? [created] : [])];
      return candidates.sort()[0];
    },
    forget: (key) => void known.delete(key),
  };
}

function readyTransition({ status }: Pod): string {
  return status?.conditions?.find(({ type }) => type === "Ready")?.lastTransitionTime ?? "";
}
