import {
  ApiError,
  apiVersionOf,
  type Clock,
  horizontalPodAutoscalers,
  type KubeObject,
  type Resource,
} from "@operator-path/client";
import { type Client, objectKeyOf, type Reader } from "@operator-path/controller-runtime";
import { isJsonObject, own } from "../json.ts";
import { groupOf, type ResourceMapper } from "../resources/resource-mapper.ts";
import type { Contest } from "./contest.ts";
import { type CompareOptions, type Difference, differences } from "./differences.ts";
import { type Remembered, signatureOf } from "./memory.ts";
import { missingOwnership, type Ownership } from "./ownership.ts";
import { anySchema, type Schemas } from "./schema.ts";
import type { ReleaseKey, Wanted } from "./wanted.ts";

/** What the repairs of one release's objects share. */
export interface RepairContext {
  readonly client: Client;
  readonly reader: Reader;
  /** Reads from the server, past every cache. */
  readonly server: Reader;
  readonly mapper: Pick<ResourceMapper, "resourceFor">;
  readonly schemas: Schemas;
  readonly clock: Pick<Clock, "steady">;
  readonly owner: KubeObject;
  readonly release: ReleaseKey;
  readonly signal: AbortSignal | undefined;
  /** The autoscalers in the same manifest. */
  readonly autoscalers: readonly KubeObject[];
  /** Reports a kind that the operator may not list. */
  reportForbidden(resource: Resource): void;
  isBuiltIn(resource: Resource): boolean;
  recall(object: string): Remembered | undefined;
  keep(object: string, remembered: Remembered): void;
  contestOf(object: string): Contest;
}

/** How a live object compares with the wanted one. */
interface State {
  readonly wanted: Wanted;
  readonly differences: readonly Difference[];
  /** Paths of missing ownership fields. */
  readonly missing: readonly string[];
  readonly signature: string;
  readonly isSettled: boolean;
  readonly compared: CompareOptions;
}

/** Compares a live object with the wanted one. An object that is being deleted counts as settled. */
export async function inspect(
  context: RepairContext,
  wanted: Wanted,
  live: KubeObject,
  ownership: Ownership,
  maxAge?: number,
): Promise<State> {
  const { resource, previous } = wanted;
  const options = { signal: context.signal, ...(maxAge === undefined ? {} : { maxAge }) };
  const schema = (await context.schemas.schemaOf(resource, options)) ?? anySchema;
  const compared = { schema, isBuiltIn: context.isBuiltIn(resource) };
  const isBeingDeleted = live.metadata?.deletionTimestamp !== undefined;
  const { stored } = isScaledByChart(context, wanted) ? asScaled(wanted, live) : wanted;
  const found = isBeingDeleted ? [] : differences(stored, live, previous, compared);
  const missing = isBeingDeleted ? [] : missingOwnership(ownership, live);
  return {
    ...{ wanted, differences: found, missing, compared },
    signature: signatureOf([...found, ...missing.map((path) => ({ path, wanted: true, live: false }))]),
    isSettled: found.length + missing.length === 0,
  };
}

/** Returns whether the replicas differ because an autoscaler outside the chart has set them, or may have. */
export async function isAutoscaled(
  { server, signal, reportForbidden }: RepairContext,
  { wanted: { resource, sent }, differences }: State,
  live: KubeObject,
): Promise<boolean> {
  if (!differences.some(({ path }) => path === "spec.replicas")) return false;
  const { namespace } = objectKeyOf(live);
  const options = { namespace, ...(signal ? { signal } : {}) };
  const all = await server.list(horizontalPodAutoscalers, options).catch((error: unknown) => {
    if (!(error instanceof ApiError) || ![403, 404].includes(error.code)) throw error;
    if (error.code === 404) return [];
    reportForbidden(horizontalPodAutoscalers);
    return undefined;
  });
  // There may be an autoscaler, and resetting its number each time would stop Pods that are needed.
  if (all === undefined) return true;
  return all.some((autoscaler) => isScaledBy(autoscaler, resource, objectKeyOf(sent)));
}

/** Returns whether an autoscaler in the same manifest sets the replicas of this object. */
export function isScaledByChart(
  { autoscalers, release }: RepairContext,
  { resource, sent }: Wanted,
): boolean {
  return autoscalers.some((autoscaler) => {
    const namespace = autoscaler.metadata?.namespace || release.namespace;
    const placed = { ...autoscaler, metadata: { ...autoscaler.metadata, namespace } };
    return isScaledBy(placed, resource, objectKeyOf(sent));
  });
}

/** Returns the wanted object with the live number of replicas. */
export function asScaled({ sent, stored, ...rest }: Wanted, live: KubeObject): Wanted {
  return { ...rest, sent: withReplicasOf(sent, live), stored: withReplicasOf(stored, live) };
}

/** Returns whether a HorizontalPodAutoscaler sets the replicas of this object, instead of the chart. */
function isScaledBy(autoscaler: KubeObject, resource: Resource, { namespace, name }: ScaledKey): boolean {
  const { spec } = autoscaler as KubeObject & { spec?: unknown };
  const target = isJsonObject(spec) ? own(spec, "scaleTargetRef") : undefined;
  return (
    (autoscaler.metadata?.namespace ?? namespace) === namespace &&
    isJsonObject(target) &&
    own(target, "kind") === resource.kind &&
    own(target, "name") === name &&
    groupOf(`${own(target, "apiVersion") ?? ""}`) === groupOf(apiVersionOf(resource))
  );
}

interface ScaledKey {
  readonly namespace: string;
  readonly name: string;
}

export function isAutoscaler({ apiVersion = "", kind }: KubeObject): boolean {
  return kind === "HorizontalPodAutoscaler" && groupOf(apiVersion) === "autoscaling";
}

/**
 * Returns the object with the live number of replicas. Leaving them out would give the field up, and the
 * server removes a field that has no manager.
 */
function withReplicasOf<T extends object>(object: T, live: KubeObject): T {
  const { spec: liveSpec } = live as KubeObject & { spec?: unknown };
  const replicas = isJsonObject(liveSpec) ? own(liveSpec, "replicas") : undefined;
  if (replicas === undefined || !("spec" in object) || !isJsonObject(object.spec)) return object;
  return "replicas" in object.spec ? { ...object, spec: { ...object.spec, replicas } } : object;
}
