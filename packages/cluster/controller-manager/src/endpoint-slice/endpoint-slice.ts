import { isDeepStrictEqual } from "node:util";
import {
  type EndpointSlice,
  isNotFound,
  type Node,
  type ObjectMeta,
  type Pod,
  type Service,
  services,
} from "@operator-path/client";
import { createWorkQueue, splitKey, unwrapTombstone } from "@operator-path/informers";
import { type Controller, type ControllerContext, runController } from "../controller.ts";
import { createMutationCache } from "../mutation-cache.ts";
import { compare, isBeingDeleted, nameOf, namespaceOf, uidOf } from "../objects.ts";
import { controllerRef } from "../ownership.ts";
import { endpointSlices } from "../resources.ts";
import {
  type AddressType,
  addressTypeOf,
  createTriggerTimes,
  type Endpoint,
  type EndpointPort,
  enqueueServices,
  isEndpoint,
  lastChangeTriggerTimeAnnotation,
  podAddresses,
  podEndpoint,
  podPorts,
  selectsPod,
} from "./service-pods.ts";

const serviceNameLabel = "kubernetes.io/service-name";
const managedByLabel = "endpointslice.kubernetes.io/managed-by";
const managedBy = "endpointslice-controller.k8s.io";
export const headlessLabel = "service.kubernetes.io/headless";
const reserved = new Set([serviceNameLabel, managedByLabel, headlessLabel]);

/**
 * Publishes the Pods behind each Service, ready or not, for kube-proxy, load balancers and cluster DNS.
 * Leaves slices with another managed-by label alone, and Services without a selector. (Kubernetes:
 * pkg/controller/endpointslice.)
 */
export function createEndpointSliceController(context: ControllerContext): Controller {
  const { client, informers, clock } = context;
  const recorder = context.recorder("endpoint-slice-controller");
  const queue = createWorkQueue<string>({ clock });
  const cache = createMutationCache(informers.endpointSlices);
  const triggers = createTriggerTimes();

  const podChanged = enqueueServices(informers, queue);
  const sliceChanged = (slice: EndpointSlice) => {
    const service = slice.metadata?.labels?.[serviceNameLabel];
    if (isOurs(slice) && service) queue.add(`${namespaceOf(slice)}/${service}`);
  };
  // Reverts manual changes and deletions.
  informers.endpointSlices.addEventHandler({
    updated: (old, slice) => {
      sliceChanged(old);
      sliceChanged(slice);
    },
    deleted: (slice) => sliceChanged(unwrapTombstone(slice)),
  });
  informers.nodes.addEventHandler({
    updated(old, node) {
      if (!isDeepStrictEqual(old.metadata?.labels, node.metadata?.labels)) nodeChanged(node);
    },
    added: nodeChanged,
  });
  return runController(context, { name: "endpoint-slice", queue, workers: 5, reconcile });

  function nodeChanged(node: Node): void {
    for (const pod of informers.pods.lister.list()) if (pod.spec?.nodeName === nameOf(node)) podChanged(pod);
  }

  async function reconcile(key: string): Promise<void> {
    const { namespace, name } = splitKey(key);
    const service = informers.services.lister.namespace(namespace).get(name);
    // The garbage collector deletes the slices of a deleted Service.
    if (service === undefined) return triggers.forget(key);
    if (service.spec?.type === "ExternalName" || service.spec?.selector === undefined) return;

    const pods = informers.pods.lister
      .namespace(namespace)
      .list()
      .filter((pod) => selectsPod(service, pod));
    const slices = slicesOf(service);
    const changedAt = triggers.changedAt(service, pods);
    try {
      for (const addressType of addressTypes(service))
        await reconcileType(service, addressType, pods, slices, changedAt);
      const unsupported = slices.filter(
        (slice) => !addressTypes(service).includes(slice.addressType as AddressType),
      );
      for (const slice of unsupported) await remove(slice);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      recorder.event(
        service,
        "Warning",
        "FailedToUpdateEndpointSlices",
        `Error updating Endpoint Slices for Service ${key}: ${message}`,
      );
      throw error;
    }
  }

  function slicesOf(service: Service): EndpointSlice[] {
    const belongs = (slice: EndpointSlice) =>
      isOurs(slice) &&
      namespaceOf(slice) === namespaceOf(service) &&
      slice.metadata?.labels?.[serviceNameLabel] === nameOf(service) &&
      !isBeingDeleted(slice);
    return cache.overlay(
      informers.endpointSlices.lister.namespace(namespaceOf(service)).list().filter(belongs),
      belongs,
    );
  }

  async function reconcileType(
    service: Service,
    addressType: AddressType,
    pods: Pod[],
    slices: EndpointSlice[],
    changedAt: string | undefined,
  ): Promise<void> {
    const groups = groupByPorts(service, addressType, pods);
    const existing = slices.filter((slice) => slice.addressType === addressType);
    const plan = planSlices(addressType, groups, existing, (slice) => hasStaleLabels(slice, service));
    // A terminating Service gets no more slices, because the garbage collector would race for them.
    for (const content of isBeingDeleted(service) ? [] : plan.create) {
      const created = await client
        .resource(endpointSlices)
        .namespace(namespaceOf(service))
        .create(newSlice(service, content, changedAt));
      cache.written(created);
    }
    for (const { slice, content } of plan.update) {
      const updated = await client
        .resource(endpointSlices)
        .namespace(namespaceOf(service))
        .update({
          ...slice,
          ...content,
          metadata: { ...annotated(slice.metadata, changedAt), labels: labelsFor(service) },
        });
      cache.written(updated);
    }
    for (const slice of plan.remove) await remove(slice);
  }

  function groupByPorts(service: Service, addressType: AddressType, pods: Pod[]): EndpointGroup[] {
    const groups = new Map<string, EndpointGroup>();
    for (const pod of pods) {
      if (!isEndpoint(pod) || !podAddresses(pod).some((address) => addressTypeOf(address) === addressType))
        continue;
      const ports = podPorts(pod, service);
      const group = groups.get(portsKey(ports)) ?? { ports, endpoints: [] };
      const node = informers.nodes.lister.get(pod.spec?.nodeName ?? "");
      group.endpoints.push(podEndpoint(pod, service, addressType, node));
      groups.set(portsKey(ports), group);
    }
    return [...groups.values()];
  }

  async function remove(slice: EndpointSlice): Promise<void> {
    const preconditions = { uid: uidOf(slice) };
    await client
      .resource(endpointSlices)
      .namespace(namespaceOf(slice))
      .delete(nameOf(slice), { preconditions })
      .catch((error) => {
        if (!isNotFound(error)) throw error;
      });
    cache.removed(slice);
  }
}

function isOurs(slice: EndpointSlice): boolean {
  return slice.metadata?.labels?.[managedByLabel] === managedBy;
}

function addressTypes({ spec }: Service): AddressType[] {
  const families = (spec?.ipFamilies ?? []).filter((family) => family === "IPv4" || family === "IPv6");
  return families.length > 0 ? families : [addressTypeOf(spec?.clusterIP ?? "")];
}

export function isHeadless({ spec }: Service): boolean {
  return !spec?.clusterIP || spec.clusterIP === "None";
}

/** Returns the Service's own labels and those that describe the slice. */
function labelsFor(service: Service): Record<string, string> {
  const own = Object.entries(service.metadata?.labels ?? {}).filter(([key]) => !reserved.has(key));
  return {
    ...Object.fromEntries(own),
    ...(isHeadless(service) && { [headlessLabel]: "" }),
    [serviceNameLabel]: nameOf(service),
    [managedByLabel]: managedBy,
  };
}

function hasStaleLabels({ metadata }: EndpointSlice, service: Service): boolean {
  const own = (labels: Record<string, string> = {}) =>
    Object.fromEntries(Object.entries(labels).filter(([key]) => !reserved.has(key)));
  return !isDeepStrictEqual(own(metadata?.labels), own(service.metadata?.labels));
}

function newSlice(service: Service, content: SliceContent, changedAt: string | undefined): EndpointSlice {
  const prefix = `${nameOf(service)}-`;
  const metadata: ObjectMeta = {
    generateName: prefix.length <= 248 ? prefix : nameOf(service),
    namespace: namespaceOf(service),
    labels: labelsFor(service),
    ownerReferences: [controllerRef(service, services)],
  };
  return { ...content, metadata: annotated(metadata, changedAt) };
}

function annotated(metadata: ObjectMeta | undefined, changedAt: string | undefined): ObjectMeta {
  const { annotations: before, ...rest } = metadata ?? {};
  const { [lastChangeTriggerTimeAnnotation]: _old, ...others } = before ?? {};
  const annotations =
    changedAt === undefined ? others : { ...others, [lastChangeTriggerTimeAnnotation]: changedAt };
  return { ...rest, ...(Object.keys(annotations).length > 0 && { annotations }) };
}

/** Endpoints with the same ports. They may share a slice. */
interface EndpointGroup {
  ports: EndpointPort[];
  endpoints: Endpoint[];
}

interface SliceContent {
  addressType: AddressType;
  ports: EndpointPort[];
  endpoints: Endpoint[];
}

interface SlicePlan {
  create: SliceContent[];
  update: { slice: EndpointSlice; content: SliceContent }[];
  remove: EndpointSlice[];
}

/** kube-controller-manager's --max-endpoints-per-slice. */
const maxEndpoints = 100;

/**
 * Plans the writes after which the slices of one address type hold exactly these endpoints. Writes as little
 * as possible: endpoints stay in their slice, and slices that change anyway are filled before others. A
 * Service without endpoints keeps one empty slice. (k8s.io/endpointslice: Reconciler.)
 *
 * @param hasStaleLabels whether a slice must be updated because of its labels
 */
export function planSlices(
  addressType: AddressType,
  groups: EndpointGroup[],
  existing: EndpointSlice[],
  hasStaleLabels: (slice: EndpointSlice) => boolean,
): SlicePlan {
  const plan: SlicePlan = { create: [], update: [], remove: [] };
  const left = new Map<string, EndpointSlice[]>();
  for (const slice of existing.toSorted((a, b) => compare(nameOf(a), nameOf(b)))) {
    const key = portsKey(slice.ports ?? []);
    left.set(key, [...(left.get(key) ?? []), slice]);
  }
  const filled = groups.filter(({ endpoints }) => endpoints.length > 0);
  for (const group of filled) {
    const key = portsKey(group.ports);
    planGroup(plan, addressType, group, left.get(key) ?? [], hasStaleLabels);
    left.delete(key);
  }
  const unwanted = [...left.values()].flat();
  if (filled.length === 0) {
    const placeholder = unwanted.find(
      (slice) => (slice.endpoints ?? []).length === 0 && !slice.ports?.length,
    );
    if (placeholder === undefined) plan.create.push({ addressType, ports: [], endpoints: [] });
    else if (hasStaleLabels(placeholder)) {
      plan.update.push({ slice: placeholder, content: { addressType, ports: [], endpoints: [] } });
    }
    plan.remove.push(...unwanted.filter((slice) => slice !== placeholder));
  } else plan.remove.push(...unwanted);
  reuse(plan);
  return plan;
}

function planGroup(
  plan: SlicePlan,
  addressType: AddressType,
  { ports, endpoints }: EndpointGroup,
  existing: EndpointSlice[],
  hasStaleLabels: (slice: EndpointSlice) => boolean,
): void {
  const wanted = new Map(endpoints.map((endpoint) => [endpointKey(endpoint), endpoint]));
  const changed: { slice: EndpointSlice; content: SliceContent }[] = [];
  const unchanged: EndpointSlice[] = [];
  for (const slice of existing) {
    const before = slice.endpoints ?? [];
    const kept = before.flatMap((endpoint) => take(wanted, endpointKey(endpoint)) ?? []);
    if (kept.length === 0) plan.remove.push(slice);
    else if (hasStaleLabels(slice) || !isDeepStrictEqual(kept, before)) {
      changed.push({ slice, content: { addressType, ports, endpoints: kept } });
    } else unchanged.push(slice);
  }
  for (const { content } of changed.toSorted(
    (a, b) => b.content.endpoints.length - a.content.endpoints.length,
  )) {
    while (wanted.size > 0 && content.endpoints.length < maxEndpoints)
      content.endpoints.push(takeAny(wanted));
  }
  plan.update.push(...changed);
  while (wanted.size > 0) {
    const roomy = unchanged
      .filter((slice) => (slice.endpoints?.length ?? 0) + wanted.size <= maxEndpoints)
      .toSorted((a, b) => (b.endpoints?.length ?? 0) - (a.endpoints?.length ?? 0))[0];
    const content: SliceContent = { addressType, ports, endpoints: [...(roomy?.endpoints ?? [])] };
    while (wanted.size > 0 && content.endpoints.length < maxEndpoints)
      content.endpoints.push(takeAny(wanted));
    if (roomy === undefined) plan.create.push(content);
    else {
      plan.update.push({ slice: roomy, content });
      unchanged.splice(unchanged.indexOf(roomy), 1);
    }
  }
}

/** Turns a deletion and a creation into one update. */
function reuse(plan: SlicePlan): void {
  while (plan.create.length > 0 && plan.remove.length > 0) {
    const [slice, content] = [plan.remove.shift(), plan.create.pop()];
    if (slice !== undefined && content !== undefined) plan.update.push({ slice, content });
  }
}

function portsKey(ports: EndpointPort[]): string {
  const keys = ports.map(({ name, protocol, port, appProtocol }) =>
    [name ?? "", protocol ?? "TCP", port, appProtocol ?? ""].join("/"),
  );
  return keys.sort(compare).join(",");
}

function endpointKey({ addresses, hostname, targetRef }: Endpoint): string {
  return [targetRef?.uid, hostname, ...addresses].join("/");
}

function take(endpoints: Map<string, Endpoint>, key: string): Endpoint | undefined {
  const endpoint = endpoints.get(key);
  endpoints.delete(key);
  return endpoint;
}

function takeAny(endpoints: Map<string, Endpoint>): Endpoint {
  const [first] = endpoints;
  if (first === undefined) throw new Error("no endpoint is left to take");
  endpoints.delete(first[0]);
  return first[1];
}
