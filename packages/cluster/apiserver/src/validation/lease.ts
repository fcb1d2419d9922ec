import type { StatusCause } from "../errors.ts";
import type { ApiObject } from "../json.ts";
import { invalid } from "./cause.ts";
import { object } from "./read.ts";
import { nonNegative } from "./rules.ts";

/** coordination.k8s.io/v1 Lease. */
export function validateLease(lease: ApiObject): StatusCause[] {
  const spec = object(lease.spec);
  const { leaseDurationSeconds: duration } = spec;
  const causes = nonNegative(spec, "spec", "leaseTransitions");
  if (typeof duration === "number" && duration <= 0) {
    causes.push(invalid("spec.leaseDurationSeconds", duration, "must be greater than 0"));
  }
  return causes;
}
