import { formatContainers, formatLabels } from "../format.ts";
import type { Named } from "../printer.ts";
import { definePrinter, nameOf } from "../printer.ts";
import type { PodTemplateSpec } from "./workload.ts";

interface PodTemplate extends Named {
  template?: PodTemplateSpec;
}

export const podTemplatePrinter = definePrinter<PodTemplate>((object) => [
  nameOf(object),
  ...formatContainers(object.template?.spec?.containers),
  formatLabels(object.template?.metadata?.labels),
]);
