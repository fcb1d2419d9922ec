import type { Named } from "../../server/table/printer.ts";
import { ageOf, definePrinter, nameOf } from "../../server/table/printer.ts";

interface Namespace extends Named {
  status?: { phase?: string };
}

export const namespacePrinter = definePrinter<Namespace>((object, context) => [
  nameOf(object),
  object.status?.phase ?? "",
  ageOf(object, context),
]);
