import type { Named } from "../../server/table/printer.ts";
import { ageOf, definePrinter, nameOf } from "../../server/table/printer.ts";

interface PodDisruptionBudget extends Named {
  spec?: { minAvailable?: number | string; maxUnavailable?: number | string };
  status?: { disruptionsAllowed?: number };
}

export const podDisruptionBudgetPrinter = definePrinter<PodDisruptionBudget>((object, context) => [
  nameOf(object),
  String(object.spec?.minAvailable ?? "N/A"),
  String(object.spec?.maxUnavailable ?? "N/A"),
  object.status?.disruptionsAllowed ?? 0,
  ageOf(object, context),
]);
