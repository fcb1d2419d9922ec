import { isDeepStrictEqual } from "node:util";
import type { EndpointSlice } from "@operator-path/client";
import { compare, nameOf } from "../objects.ts";
import type { AddressType, Endpoint, EndpointPort } from "./pod-endpoint.ts";

/** Endpoints that share their ports, and so may share a slice. */
export interface EndpointGroup {
  ports: EndpointPort[];
  endpoints: Endpoint[];
}

export interface SliceContent {
  addressType: AddressType;
  ports: EndpointPort[];
  endpoints: Endpoint[];
}

export interface SlicePlan {
  create: SliceContent[];
  update: { slice: EndpointSlice; content: SliceContent }[];
  remove: EndpointSlice[];
}

/** kube-controller-manager's --max-endpoints-per-slice. */
const maxEndpoints = 100;

/**
 * What has to be written so that the slices of one address type hold exactly these endpoints, with as few writes as
 * possible: an endpoint stays in its slice, slices that change anyway are filled up first, and only then others. A
 * Service without endpoints keeps one empty slice. (k8s.io/endpointslice: Reconciler.)
 *
 * @param hasStaleLabels whether a slice has to be written for its labels' sake.
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

/** A slice that would go gets the content of one that would come: one write instead of two. */
function reuse(plan: SlicePlan): void {
  while (plan.create.length > 0 && plan.remove.length > 0) {
    const [slice, content] = [plan.remove.shift(), plan.create.pop()];
    if (slice !== undefined && content !== undefined) plan.update.push({ slice, content });
  }
}

export function portsKey(ports: EndpointPort[]): string {
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
  if (first === undefined) throw new Error("no endpoint is left");
  endpoints.delete(first[0]);
  return first[1];
}
