import type { KubeObject, LabelSelector } from "@operator-path/client";
import { matchLabels } from "@operator-path/informers";

/**
 * Whether the selector of a workload is for that object. An empty one would select everything; the API server refuses it,
 * and here it selects nothing.
 */
export function selects(
  { spec }: { readonly spec?: { readonly selector?: LabelSelector } },
  { metadata }: KubeObject,
): boolean {
  const { matchLabels: labels = {}, matchExpressions = [] } = spec?.selector ?? {};
  if (Object.keys(labels).length === 0 && matchExpressions.length === 0) return false;
  return matchLabels({ matchLabels: labels, matchExpressions }, metadata?.labels ?? {});
}
