import { age } from "../../../apimachinery/duration.ts";
import type { PrintContext, RowCondition } from "../../../server/table/printer.ts";
import { ageOf, definePrinter, nameOf } from "../../../server/table/printer.ts";
import { NONE } from "../../printing.ts";
import { type Pod, summarizePod } from "./pod-status.ts";

export const podPrinter = definePrinter<Pod>((pod, context) => {
  const { ready, total, reason, restarts, lastRestart } = summarizePod(pod);
  return [
    nameOf(pod),
    `${ready}/${total}`,
    reason,
    formatRestarts(restarts, lastRestart, context),
    ageOf(pod, context),
    pod.status?.podIPs?.[0]?.ip || NONE,
    pod.spec?.nodeName || NONE,
    pod.status?.nominatedNodeName || NONE,
    formatReadinessGates(pod),
  ];
}, completed);

function formatRestarts(count: number, last: string | undefined, { now }: PrintContext): string {
  return count === 0 || last === undefined ? String(count) : `${count} (${age(last, now)} ago)`;
}

function formatReadinessGates({ spec, status }: Pod): string {
  const gates = spec?.readinessGates ?? [];
  if (gates.length === 0) return NONE;
  const open = gates.filter(({ conditionType }) => {
    return status?.conditions?.find(({ type }) => type === conditionType)?.status === "True";
  });
  return `${open.length}/${gates.length}`;
}

function completed({ status }: Pod): RowCondition[] {
  if (status?.phase !== "Succeeded" && status?.phase !== "Failed") return [];
  const message = status.phase === "Succeeded" ? "The pod has completed successfully." : "The pod failed.";
  return [{ type: "Completed", status: "True", reason: status.phase, message }];
}
