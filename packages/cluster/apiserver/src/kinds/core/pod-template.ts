import { definePrinter, type Named, nameOf } from "../../server/table/printer.ts";
import type { PodTemplateSpec } from "../apps/workload.ts";
import type { BuiltInKind } from "../built-in-kind.ts";
import { formatContainers, formatLabels } from "../printing.ts";
import { defaultPodTemplate } from "./pod/defaults.ts";
import { templateWarnings } from "./pod/warnings.ts";

interface PodTemplate extends Named {
  template?: PodTemplateSpec;
}

const podTemplatePrinter = definePrinter<PodTemplate>((object) => [
  nameOf(object),
  ...formatContainers(object.template?.spec?.containers),
  formatLabels(object.template?.metadata?.labels),
]);

/** core/v1 PodTemplate. */
export const podTemplateKind: BuiltInKind = {
  strategy: { returnsDeleted: true, generation: true },
  setDefaults: (object) => defaultPodTemplate(object.template),
  warnings: templateWarnings(["template"]),
  printer: podTemplatePrinter,
};
