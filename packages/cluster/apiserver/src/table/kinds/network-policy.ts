import { formatSelector, type Labelled, NONE } from "../format.ts";
import type { Named } from "../printer.ts";
import { ageOf, definePrinter, nameOf } from "../printer.ts";

interface NetworkPolicy extends Named {
  spec?: { podSelector?: Labelled };
}

export const networkPolicyPrinter = definePrinter<NetworkPolicy>((object, context) => [
  nameOf(object),
  formatSelector(object.spec?.podSelector) || NONE,
  ageOf(object, context),
]);
