import type { Endpoints, Pod, Service } from "@operator-path/client";
import { hasHostname, isEndpoint, podAddresses, targetPort } from "../endpoint-slice/pod-endpoint.ts";
import { compare, isBeingDeleted, nameOf, namespaceOf, uidOf } from "../objects.ts";
import { isReady } from "../pods.ts";

type Subset = NonNullable<Endpoints["subsets"]>[number];
type Address = NonNullable<Subset["addresses"]>[number];
type Port = NonNullable<Subset["ports"]>[number];

/** Of one port: the addresses that have it. */
interface PortGroup {
  port: Port | undefined;
  ready: Address[];
  notReady: Address[];
}

/**
 * The subsets of a Service's Endpoints: addresses that share their ports stand together. A Pod that is ending is not
 * listed, unless the Service publishes what is not ready. (pkg/controller/endpoint, pkg/api/v1/endpoints RepackSubsets.)
 */
export function subsetsOf(service: Service, pods: Pod[]): Subset[] {
  const publish = service.spec?.publishNotReadyAddresses === true;
  const groups = new Map<string, PortGroup>();
  for (const pod of pods) {
    if (!isEndpoint(pod) || (isBeingDeleted(pod) && !publish)) continue;
    const address = addressOf(pod, service);
    if (address === undefined) continue;
    for (const port of portsOf(pod, service)) {
      const key = JSON.stringify(port ?? null);
      const group = groups.get(key) ?? { port, ready: [], notReady: [] };
      (publish || isReady(pod) ? group.ready : group.notReady).push(address);
      groups.set(key, group);
    }
  }
  return repack([...groups.values()]);
}

/** A headless Service without ports has one subset without any. */
function portsOf(pod: Pod, service: Service): (Port | undefined)[] {
  const ports = service.spec?.ports ?? [];
  if (ports.length === 0) return service.spec?.clusterIP === "None" ? [undefined] : [];
  return ports.flatMap((port) => {
    const number = targetPort(pod, port);
    if (number === undefined) return [];
    return [
      {
        ...(port.name && { name: port.name }),
        port: number,
        protocol: port.protocol ?? "TCP",
        ...(port.appProtocol !== undefined && { appProtocol: port.appProtocol }),
      },
    ];
  });
}

/** The Pod's first address of the Service's first family. */
function addressOf(pod: Pod, service: Service): Address | undefined {
  const wantsIPv6 = (service.spec?.ipFamilies?.[0] ?? "IPv4") === "IPv6";
  const ip = podAddresses(pod).find((address) => address.includes(":") === wantsIPv6);
  if (ip === undefined) return undefined;
  return {
    ip,
    ...(hasHostname(pod, service) && { hostname: pod.spec?.hostname }),
    ...(pod.spec?.nodeName && { nodeName: pod.spec.nodeName }),
    targetRef: { kind: "Pod", namespace: namespaceOf(pod), name: nameOf(pod), uid: uidOf(pod) },
  };
}

function repack(groups: PortGroup[]): Subset[] {
  const packed = new Map<string, Subset>();
  for (const { port, ready, notReady } of groups) {
    const addresses = ready.toSorted(byAddress);
    const notReadyAddresses = notReady.toSorted(byAddress);
    const key = JSON.stringify([addresses, notReadyAddresses]);
    const subset = packed.get(key) ?? {
      ...(addresses.length > 0 && { addresses }),
      ...(notReadyAddresses.length > 0 && { notReadyAddresses }),
    };
    if (port !== undefined) subset.ports = [...(subset.ports ?? []), port].sort(byPort);
    packed.set(key, subset);
  }
  return [...packed.values()].sort((a, b) =>
    compare(JSON.stringify(a.ports ?? []), JSON.stringify(b.ports ?? [])),
  );
}

function byAddress(a: Address, b: Address): number {
  return compare(a.ip, b.ip) || compare(a.targetRef?.uid ?? "", b.targetRef?.uid ?? "");
}

function byPort(a: Port, b: Port): number {
  return compare(a.name ?? "", b.name ?? "") || a.port - b.port;
}
