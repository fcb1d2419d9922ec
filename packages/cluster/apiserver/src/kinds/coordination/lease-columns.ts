import type { Named } from "../../server/table/printer.ts";
import { ageOf, definePrinter, nameOf } from "../../server/table/printer.ts";

interface Lease extends Named {
  spec?: { holderIdentity?: string };
}

export const leasePrinter = definePrinter<Lease>((object, context) => [
  nameOf(object),
  object.spec?.holderIdentity ?? "",
  ageOf(object, context),
]);
