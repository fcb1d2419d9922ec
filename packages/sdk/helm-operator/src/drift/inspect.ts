import { ApiError, horizontalPodAutoscalers, type KubeObject } from "@operator-path/client";
import { objectKeyOf } from "@operator-path/controller-runtime";
import { isScaledBy, withReplicasOf } from "./autoscaling.ts";
import { type CompareOptions, type Difference, differences } from "./differences.ts";
import { signatureOf } from "./memory.ts";
import { missingOwnership, type Ownership } from "./ownership.ts";
import type { RepairContext } from "./repair-context.ts";
import { anySchema } from "./schema.ts";
import type { Wanted } from "./write-repair.ts";

/** How a live object compares with what is wanted. */
export interface State {
  readonly wanted: Wanted;
  readonly differences: readonly Difference[];
  /** Paths of missing ownership fields. */
  readonly missing: readonly string[];
  readonly signature: string;
  readonly isSettled: boolean;
  readonly compared: CompareOptions;
}

/** Compares an object. One that is being deleted counts as settled: it is repaired after its deletion. */
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
  const isGoing = live.metadata?.deletionTimestamp !== undefined;
  const { stored } = isScaledByChart(context, wanted) ? asScaled(wanted, live) : wanted;
  const found = isGoing ? [] : differences(stored, live, previous, compared);
  const missing = isGoing ? [] : missingOwnership(ownership, live);
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

export function asScaled({ sent, stored, ...rest }: Wanted, live: KubeObject): Wanted {
  return { ...rest, sent: withReplicasOf(sent, live), stored: withReplicasOf(stored, live) };
}
