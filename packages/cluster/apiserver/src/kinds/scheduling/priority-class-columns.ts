import type { Named } from "../../server/table/printer.ts";
import { ageOf, definePrinter, nameOf } from "../../server/table/printer.ts";

interface PriorityClass extends Named {
  value?: number;
  globalDefault?: boolean;
  preemptionPolicy?: string;
}

export const priorityClassPrinter = definePrinter<PriorityClass>((object, context) => [
  nameOf(object),
  object.value ?? 0,
  object.globalDefault ?? false,
  ageOf(object, context),
  object.preemptionPolicy ?? "",
]);
