import type { StatusCause } from "../../apimachinery/errors.ts";
import { invalid } from "../../apimachinery/validation/cause.ts";
import { nonNegative } from "../../apimachinery/validation/rules.ts";
import type { ApiObject } from "../../lib/json/json.ts";
import { object } from "../../lib/json/read.ts";
import { ageOf, definePrinter, type Named, nameOf } from "../../server/table/printer.ts";
import type { BuiltInKind } from "../built-in-kind.ts";

/** Validates a coordination.k8s.io/v1 Lease. */
function validateLease(lease: ApiObject): StatusCause[] {
  const spec = object(lease.spec);
  const { leaseDurationSeconds: duration } = spec;
  const causes = nonNegative(spec, "spec", "leaseTransitions");
  if (typeof duration === "number" && duration <= 0) {
    causes.push(invalid("spec.leaseDurationSeconds", duration, "must be greater than 0"));
  }
  return causes;
}

interface Lease extends Named {
  spec?: { holderIdentity?: string };
}

const leasePrinter = definePrinter<Lease>((object, context) => [
  nameOf(object),
  object.spec?.holderIdentity ?? "",
  ageOf(object, context),
]);

/** coordination/v1 Lease. */
export const leaseKind: BuiltInKind = {
  strategy: { createOnUpdate: true, unconditionalUpdate: false },
  validate: validateLease,
  printer: leasePrinter,
};
