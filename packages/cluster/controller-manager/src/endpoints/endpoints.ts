import { isDeepStrictEqual } from "node:util";
import { type Endpoints, isNotFound, type Pod, type Service } from "@operator-path/client";
import { createWorkQueue, keyOf, splitKey, unwrapTombstone } from "@operator-path/informers";
import {
  type Controller,
  type ControllerContext,
  isNamespaceTerminating,
  runController,
} from "../controller.ts";
import { headlessLabel, isHeadless } from "../endpoint-slice/endpoint-slice.ts";
import {
  createTriggerTimes,
  enqueueServices,
  hasHostname,
  isEndpoint,
  lastChangeTriggerTimeAnnotation,
  podAddresses,
  selectsPod,
  targetPort,
} from "../endpoint-slice/service-pods.ts";
import { createMutationCache } from "../mutation-cache.ts";
import { compare, isBeingDeleted, nameOf, namespaceOf, uidOf } from "../objects.ts";
import { isReady } from "../pods.ts";
import { endpoints } from "../resources.ts";

const managedByLabel = "endpoints.kubernetes.io/managed-by";
const managedBy = "endpoint-controller";

/**
 * Maintains Endpoints, the predecessor of EndpointSlices, which `kubectl get endpoints` and many clients
 * still read. Each Service has one object of the same name. (Kubernetes: pkg/controller/endpoint.)
 */
export function createEndpointsController(context: ControllerContext): Controller {
  const { client, informers, clock } = context;
  const recorder = context.recorder("endpoint-controller");
  const queue = createWorkQueue<string>({ clock });
  const cache = createMutationCache(informers.endpoints);
  const triggers = createTriggerTimes();

  enqueueServices(informers, queue);
  informers.endpoints.addEventHandler({
    deleted: (deleted) => queue.add(keyOf(unwrapTombstone(deleted))),
  });
  return runController(context, { name: "endpoints", queue, workers: 5, reconcile });

  async function reconcile(key: string): Promise<void> {
    const { namespace, name } = splitKey(key);
    const service = informers.services.lister.namespace(namespace).get(name);
    const cached = informers.endpoints.lister.namespace(namespace).get(name);
    const [current] = cache.overlay(
      cached === undefined ? [] : [cached],
      (object) => namespaceOf(object) === namespace && nameOf(object) === name,
    );
    if (service === undefined) {
      triggers.forget(key);
      // Endpoints have no owner reference. They are deleted with the Service, even foreign ones.
      if (current !== undefined) await remove(current);
      return;
    }
    if (service.spec?.type === "ExternalName" || service.spec?.selector === undefined) return;
    const pods = informers.pods.lister
      .namespace(namespace)
      .list()
      .filter((pod) => selectsPod(service, pod));
    const changedAt = triggers.changedAt(service, pods);
    const subsets = subsetsOf(service, pods);
    if (current !== undefined && isUpToDate(current, service, subsets)) return;
    await save(service, current, subsets, changedAt);
  }

  async function save(
    service: Service,
    current: Endpoints | undefined,
    subsets: NonNullable<Endpoints["subsets"]>,
    changedAt: string | undefined,
  ): Promise<void> {
    const { [lastChangeTriggerTimeAnnotation]: _old, ...others } = current?.metadata?.annotations ?? {};
    const annotations =
      changedAt === undefined ? others : { ...others, [lastChangeTriggerTimeAnnotation]: changedAt };
    const { subsets: _before, ...rest } = current ?? {};
    const wanted: Endpoints = {
      ...rest,
      metadata: {
        ...current?.metadata,
        name: nameOf(service),
        namespace: namespaceOf(service),
        labels: labelsFor(service),
        annotations,
      },
      ...(subsets.length > 0 && { subsets }),
    };
    const inNamespace = client.resource(endpoints).namespace(namespaceOf(service));
    try {
      cache.written(
        current === undefined ? await inNamespace.create(wanted) : await inNamespace.update(wanted),
      );
    } catch (error) {
      if (isNamespaceTerminating(error)) return;
      const message = error instanceof Error ? error.message : String(error);
      const what = `endpoint${current === undefined ? " for service" : ""} ${keyOf(service)}: ${message}`;
      const [reason, text] =
        current === undefined
          ? ["FailedToCreateEndpoint", `Failed to create ${what}`]
          : ["FailedToUpdateEndpoint", `Failed to update ${what}`];
      recorder.event({ apiVersion: "v1", kind: "Endpoints", ...wanted }, "Warning", reason, text);
      throw error;
    }
  }

  async function remove(current: Endpoints): Promise<void> {
    const preconditions = { uid: uidOf(current) };
    await client
      .resource(endpoints)
      .namespace(namespaceOf(current))
      .delete(nameOf(current), { preconditions })
      .catch((error) => {
        if (!isNotFound(error)) throw error;
      });
    cache.removed(current);
  }
}

function isUpToDate(current: Endpoints, service: Service, subsets: object[]): boolean {
  const { [headlessLabel]: _headless, ...labels } = current.metadata?.labels ?? {};
  const { [headlessLabel]: _wanted, ...wanted } = labelsFor(service);
  return isDeepStrictEqual(labels, wanted) && isDeepStrictEqual(current.subsets ?? [], subsets);
}

function labelsFor(service: Service): Record<string, string> {
  const { [headlessLabel]: _reserved, ...own } = service.metadata?.labels ?? {};
  return { ...own, ...(isHeadless(service) && { [headlessLabel]: "" }), [managedByLabel]: managedBy };
}

type Subset = NonNullable<Endpoints["subsets"]>[number];
type Address = NonNullable<Subset["addresses"]>[number];
type Port = NonNullable<Subset["ports"]>[number];

/** The addresses that have one port. */
interface PortGroup {
  port: Port | undefined;
  ready: Address[];
  notReady: Address[];
}

/**
 * Builds the subsets of a Service's Endpoints by grouping addresses with the same ports. Skips terminating
 * Pods, unless the Service publishes addresses that are not ready. (pkg/controller/endpoint,
 * pkg/api/v1/endpoints RepackSubsets.)
 */
function subsetsOf(service: Service, pods: Pod[]): Subset[] {
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

/** A headless Service without ports has one subset without ports. */
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

/** Returns the Pod's first address in the Service's first IP family. */
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
