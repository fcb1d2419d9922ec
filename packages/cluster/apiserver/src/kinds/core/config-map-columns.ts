import type { Named } from "../../server/table/printer.ts";
import { ageOf, definePrinter, nameOf } from "../../server/table/printer.ts";

interface ConfigMap extends Named {
  data?: Record<string, string>;
  binaryData?: Record<string, string>;
}

export const configMapPrinter = definePrinter<ConfigMap>((object, context) => [
  nameOf(object),
  Object.keys(object.data ?? {}).length + Object.keys(object.binaryData ?? {}).length,
  ageOf(object, context),
]);
