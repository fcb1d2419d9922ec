import type { Namespace } from "@operator-path/client";
import { compare, timestamp } from "../objects.ts";
import type { Remainder } from "./contents.ts";

type NamespaceCondition = NonNullable<NonNullable<Namespace["status"]>["conditions"]>[number];

export interface DeletionReport {
  discoveryError?: unknown;
  errors: unknown[];
  remainders: Remainder[];
}

/**
 * The conditions of a namespace that is being deleted: what `kubectl describe namespace` shows of one that does not go
 * away. Status "True" is the bad case, in all of them. (namespace/deletion/status_condition_utils.go.)
 */
export function deletionConditions(
  existing: NamespaceCondition[],
  { discoveryError, errors, remainders }: DeletionReport,
  now: number,
): NamespaceCondition[] {
  const left = remainders.filter(({ count }) => count > 0);
  const resources = left.map(
    ({ resource: { plural, group }, count }) => `${plural}.${group} has ${count} resource instances`,
  );
  const finalizers = new Map<string, number>();
  for (const [finalizer, count] of left.flatMap((remainder) => [...remainder.finalizers])) {
    finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + count);
  }
  const holding = [...finalizers].map(([finalizer, count]) => `${finalizer} in ${count} resource instances`);
  const failures = errors.map(messageOf).sort(compare);

  const conditions: [
    type: string,
    ok: [reason: string, message: string],
    bad?: [reason: string, message: string],
  ][] = [
    [
      "NamespaceDeletionDiscoveryFailure",
      ["ResourcesDiscovered", "All resources successfully discovered"],
      discoveryError === undefined ? undefined : ["DiscoveryFailed", messageOf(discoveryError)],
    ],
    [
      "NamespaceDeletionGroupVersionParsingFailure",
      ["ParsedGroupVersions", "All legacy kube types successfully parsed"],
    ],
    [
      "NamespaceDeletionContentFailure",
      ["ContentDeleted", "All content successfully deleted, may be waiting on finalization"],
      failures.length === 0
        ? undefined
        : [
            "ContentDeletionFailed",
            `Failed to delete all resource types, ${failures.length} remaining: ${failures.join(", ")}`,
          ],
    ],
    [
      "NamespaceContentRemaining",
      ["ContentRemoved", "All content successfully removed"],
      resources.length === 0
        ? undefined
        : ["SomeResourcesRemain", `Some resources are remaining: ${resources.sort(compare).join(", ")}`],
    ],
    [
      "NamespaceFinalizersRemaining",
      ["ContentHasNoFinalizers", "All content-preserving finalizers finished"],
      holding.length === 0
        ? undefined
        : [
            "SomeFinalizersRemain",
            `Some content in the namespace has finalizers remaining: ${holding.sort(compare).join(", ")}`,
          ],
    ],
  ];

  const ours = conditions.map(([type, ok, bad]): NamespaceCondition => {
    const [reason, message] = bad ?? ok;
    const status = bad === undefined ? "False" : "True";
    const old = existing.find((condition) => condition.type === type);
    const lastTransitionTime = old?.status === status ? old.lastTransitionTime : timestamp(now);
    return { type, status, ...(lastTransitionTime && { lastTransitionTime }), reason, message };
  });
  return [...existing.filter(({ type }) => !ours.some((condition) => condition.type === type)), ...ours];
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
