import { isDns1123Label } from "../../../lib/formats/names.ts";
import { field } from "../../../server/registry/selectable-fields.ts";
import type { BuiltInKind } from "../../built-in-kind.ts";
import { servicePrinter } from "./columns.ts";
import { defaultService } from "./defaults.ts";
import { serviceStrategy } from "./strategy.ts";
import { validateService, validateServiceStatus } from "./validation.ts";
import { warnOfService } from "./warnings.ts";

/** core/v1 Service. */
export const serviceKind: BuiltInKind = {
  strategy: serviceStrategy,
  setDefaults: defaultService,
  validateName: isDns1123Label,
  validate: validateService,
  validateSubresource: { status: validateServiceStatus },
  warnings: warnOfService,
  printer: servicePrinter,
  fieldLabels: new Map([field("spec.clusterIP"), field("spec.type")]),
};
