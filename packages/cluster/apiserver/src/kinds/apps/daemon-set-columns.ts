import { ageOf, definePrinter, nameOf } from "../../server/table/printer.ts";
import { formatContainers, formatLabels, formatSelector, NONE } from "../printing.ts";
import type { Workload } from "./workload-columns.ts";

export const daemonSetPrinter = definePrinter<Workload>((daemonSet, context) => {
  const { spec, status } = daemonSet;
  return [
    nameOf(daemonSet),
    status?.desiredNumberScheduled ?? 0,
    status?.currentNumberScheduled ?? 0,
    status?.numberReady ?? 0,
    status?.updatedNumberScheduled ?? 0,
    status?.numberAvailable ?? 0,
    formatLabels(spec?.template?.spec?.nodeSelector),
    ageOf(daemonSet, context),
    ...formatContainers(spec?.template?.spec?.containers),
    formatSelector(spec?.selector) || NONE,
  ];
});
