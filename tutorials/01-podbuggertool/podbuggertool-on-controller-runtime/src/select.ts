import type { Pod } from "@operator-path/client";
import type { Podbuggertool } from "./types.ts";

/** Whether the label of the tool, "key=value", is on the Pod. */
export function selects(tool: Podbuggertool, pod: Pod): boolean {
  const [key = "", value] = tool.spec.label.split("=");
  return pod.metadata?.labels?.[key] === value;
}

/** Whether the Pod is neither finished nor being deleted. */
export function isAlive(pod: Pod): boolean {
  const finished = pod.status?.phase === "Succeeded" || pod.status?.phase === "Failed";
  return !finished && !pod.metadata?.deletionTimestamp;
}

export function isReady(pod: Pod): boolean {
  return pod.status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True") ?? false;
}
