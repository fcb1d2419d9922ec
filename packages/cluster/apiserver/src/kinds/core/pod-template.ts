import { definePrinter, type Named, nameOf } from "../../server/table/printer.ts";
import type { PodTemplateSpec } from "../apps/workload.ts";
import { formatContainers, formatLabels } from "../printing.ts";

interface PodTemplate extends Named {
  template?: PodTemplateSpec;
}

export const podTemplatePrinter = definePrinter<PodTemplate>((object) => [
  nameOf(object),
  ...formatContainers(object.template?.spec?.containers),
  formatLabels(object.template?.metadata?.labels),
]);
