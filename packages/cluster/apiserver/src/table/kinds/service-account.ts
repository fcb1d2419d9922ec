import { ageOf, definePrinter, nameOf } from "../printer.ts";

export const serviceAccountPrinter = definePrinter((object, context) => [
  nameOf(object),
  ageOf(object, context),
]);
