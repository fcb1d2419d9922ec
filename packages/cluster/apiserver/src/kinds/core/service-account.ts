import { ageOf, definePrinter, nameOf } from "../../server/table/printer.ts";

export const serviceAccountPrinter = definePrinter((object, context) => [
  nameOf(object),
  ageOf(object, context),
]);
