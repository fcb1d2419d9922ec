import type { Named } from "../printer.ts";
import { ageOf, definePrinter, nameOf } from "../printer.ts";

interface Lease extends Named {
  spec?: { holderIdentity?: string };
}

export const leasePrinter = definePrinter<Lease>((object, context) => [
  nameOf(object),
  object.spec?.holderIdentity ?? "",
  ageOf(object, context),
]);
