import { ageOf, definePrinter, nameOf } from "../../server/table/printer.ts";
import { formatContainers } from "../printing.ts";
import type { Workload } from "./workload-columns.ts";

export const statefulSetPrinter = definePrinter<Workload>((statefulSet, context) => {
  const { spec, status } = statefulSet;
  return [
    nameOf(statefulSet),
    `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
    ageOf(statefulSet, context),
    ...formatContainers(spec?.template?.spec?.containers),
  ];
});
