import { forbidden } from "../../../apimachinery/errors.ts";
import type { AdmissionAttributes, AdmissionContext } from "../admission.ts";
import { meetsConditions } from "../policies/match-conditions.ts";
import { activationOf } from "../policies/variables.ts";
import type { Webhook } from "./configurations.ts";
import type { Match, ReviewedObjects } from "./review.ts";

/**
 * Whether all matchConditions of a webhook hold.
 * @throws ApiStatusError 403 when it is not known, and failurePolicy is Fail
 */
export function matchesConditions(
  { matchConditions, failurePolicy }: Webhook,
  match: Match,
  attributes: AdmissionAttributes,
  objects: ReviewedObjects,
  context: AdmissionContext,
): boolean {
  if (matchConditions.length === 0) return true;
  const met = meetsConditions(
    matchConditions,
    activationOf(attributes, match, objects, context),
    failurePolicy,
  );
  if (typeof met === "boolean") return met;
  const { type, name } = attributes;
  throw forbidden(type.group, type.plural, name, met.error);
}
