import type { EndpointSlice, Node, Pod, Service, ServicePort } from "@operator-path/client";
import { isBeingDeleted, nameOf, namespaceOf, uidOf } from "../objects.ts";
import { isReady, isTerminal } from "../pods.ts";

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
