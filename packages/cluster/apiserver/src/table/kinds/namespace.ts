import type { Named } from "../printer.ts";
import { ageOf, definePrinter, nameOf } from "../printer.ts";

interface Namespace extends Named {
  status?: { phase?: string };
}

export const namespacePrinter = definePrinter<Namespace>((object, context) => [
  nameOf(object),
  object.status?.phase ?? "",
  ageOf(object, context),
]);
