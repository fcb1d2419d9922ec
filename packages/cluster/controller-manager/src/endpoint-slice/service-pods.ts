import { isDeepStrictEqual } from "node:util";
import type { EndpointSlice, Node, Pod, Service, ServicePort } from "@operator-path/client";
import { keyOf, type SharedInformer, unwrapTombstone } from "@operator-path/informers";
import { isBeingDeleted, nameOf, namespaceOf, uidOf } from "../objects.ts";
import { isReady, isTerminal } from "../pods.ts";

/**
 * Whether a Service selects a Pod. A Service without a selector selects none, because its endpoints are
 * managed elsewhere.
 */
export function selectsPod({ spec }: Service, pod: Pod): boolean {
  if (spec?.selector === undefined || spec.type === "ExternalName") return false;
  const labels = pod.metadata?.labels ?? {};
  return Object.entries(spec.selector).every(([key, value]) => labels[key] === value);
}

/** Returns the Services whose endpoints may change with a Pod. Most status changes affect none. */
function servicesConcerned(services: SharedInformer<Service>, pod: Pod, old: Pod | undefined): Service[] {
  if (old !== undefined && isDeepStrictEqual(endpointView(old), endpointView(pod))) return [];
  return services.lister
    .namespace(namespaceOf(pod))
    .list()
    .filter((service) => selectsPod(service, pod) || (old !== undefined && selectsPod(service, old)));
}

/**
 * Enqueues the Services whose endpoints may change: changed ones, and those that select a changed Pod.
 *
 * @returns a function that enqueues the Services of a Pod that changed in another way
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

/** Whether a Pod is an endpoint of the Services that select it: it has an address and has not finished. */
export function isEndpoint(pod: Pod): boolean {
  return !isTerminal(pod) && podAddresses(pod).length > 0;
}

/** Returns the addresses of a Pod. An old kubelet may set only status.podIP. */
export function podAddresses({ status }: Pod): string[] {
  const addresses = (status?.podIPs ?? []).map(({ ip }) => ip).filter((ip) => ip !== "");
  return addresses.length > 0 || !status?.podIP ? addresses : [status.podIP];
}

export function addressTypeOf(address: string): AddressType {
  return address.includes(":") ? "IPv6" : "IPv4";
}

/**
 * Builds the endpoint of a Pod. A terminating Pod is serving while it passes its probes, but it is not ready.
 */
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

/** A Pod has a hostname in a Service only if it names the Service as its subdomain. */
export function hasHostname({ spec }: Pod, service: Service): boolean {
  return Boolean(spec?.hostname) && spec?.subdomain === nameOf(service);
}

/** Translates spec.trafficDistribution to endpoint hints. */
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

/** Returns the ports of a Service on one Pod, without named ports that the Pod does not have. */
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

/**
 * Resolves a target port. A named one is looked up in the containers, sidecars last, so its number may differ
 * between Pods.
 */
export function targetPort({ spec }: Pod, { targetPort: target, port, protocol = "TCP" }: ServicePort) {
  if (typeof target !== "string") return target ?? port;
  const sidecars = (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === "Always");
  return [...(spec?.containers ?? []), ...sidecars]
    .flatMap(({ ports = [] }) => ports)
    .find((candidate) => candidate.name === target && (candidate.protocol ?? "TCP") === protocol)
    ?.containerPort;
}

/** Records when the change behind these endpoints happened. Programming latency is measured from it. */
export const lastChangeTriggerTimeAnnotation = "endpoints.kubernetes.io/last-change-trigger-time";

interface TriggerTimes {
  /**
   * Returns the time of the earliest change since the last call (RFC 3339), or undefined if there was none.
   * For a new Service, returns its creation time. (k8s.io/endpointslice: TriggerTimeTracker.)
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
      // The times have one format and one zone, so they sort as strings.
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
