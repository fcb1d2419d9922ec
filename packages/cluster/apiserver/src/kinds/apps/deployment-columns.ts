import { ageOf, definePrinter, nameOf } from "../../server/table/printer.ts";
import { formatContainers, formatSelector } from "../printing.ts";
import type { Workload } from "./workload-columns.ts";

export const deploymentPrinter = definePrinter<Workload>((deployment, context) => {
  const { spec, status } = deployment;
  return [
    nameOf(deployment),
    `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
    status?.updatedReplicas ?? 0,
    status?.availableReplicas ?? 0,
    ageOf(deployment, context),
    ...formatContainers(spec?.template?.spec?.containers),
    formatSelector(spec?.selector),
  ];
});
