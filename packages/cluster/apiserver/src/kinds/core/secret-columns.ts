import type { Named } from "../../server/table/printer.ts";
import { ageOf, definePrinter, nameOf } from "../../server/table/printer.ts";

interface Secret extends Named {
  type?: string;
  data?: Record<string, string>;
}

export const secretPrinter = definePrinter<Secret>((object, context) => [
  nameOf(object),
  object.type ?? "",
  Object.keys(object.data ?? {}).length,
  ageOf(object, context),
]);
