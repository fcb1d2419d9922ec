import { ageOf, definePrinter, nameOf } from "../../server/table/printer.ts";
import { formatContainers, formatSelector, NONE } from "../printing.ts";
import type { Workload } from "./workload-columns.ts";

export const replicaSetPrinter = definePrinter<Workload>((replicaSet, context) => {
  const { spec, status } = replicaSet;
  return [
    nameOf(replicaSet),
    spec?.replicas ?? 0,
    status?.replicas ?? 0,
    status?.readyReplicas ?? 0,
    ageOf(replicaSet, context),
    ...formatContainers(spec?.template?.spec?.containers),
    formatSelector(spec?.selector) || NONE,
  ];
});
