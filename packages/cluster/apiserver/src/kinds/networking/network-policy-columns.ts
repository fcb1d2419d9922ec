import type { Named } from "../../server/table/printer.ts";
import { ageOf, definePrinter, nameOf } from "../../server/table/printer.ts";
import { formatSelector, type Labelled, NONE } from "../printing.ts";

interface NetworkPolicy extends Named {
  spec?: { podSelector?: Labelled };
}

export const networkPolicyPrinter = definePrinter<NetworkPolicy>((object, context) => [
  nameOf(object),
  formatSelector(object.spec?.podSelector) || NONE,
  ageOf(object, context),
]);
