import type { ActionState } from "./action-state.ts";
import type { StepStatus } from "./protocol.ts";

/**
 * Returns the status of a step: that of its worst action, and `done` if it is finished or all actions are.
 *
 * @param keys keys of its actions. Without any, only `finished` counts
 */
export function stepStatus(
  keys: readonly string[],
  states: ReadonlyMap<string, ActionState>,
  finished: boolean,
): StepStatus {
  const statuses = keys.map((key) => states.get(key)?.status ?? "to do");
  if (statuses.includes("running")) return "running";
  if (statuses.includes("differs")) return "differs";
  if (finished || (keys.length > 0 && statuses.every((status) => status === "done"))) return "done";
  return "to do";
}
