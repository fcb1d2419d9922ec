import type { ApiObject } from "../../../lib/json/json.ts";
import { groupVersion } from "../../types/resource-type.ts";
import type { AdmissionAttributes, AdmissionContext } from "../admission.ts";
import type { Match, ReviewedObjects } from "./review.ts";

/** Returns the objects of a request in the version that a webhook or a policy matches. */
export function reviewedObjects(
  attributes: AdmissionAttributes,
  match: Match,
  context: AdmissionContext,
): ReviewedObjects | Promise<ReviewedObjects> {
  const { object, old } = attributes;
  if (isRequested(attributes, match)) return { object, old };
  const present = [object, old].filter((one) => one !== undefined);
  return convert(present, groupVersion(match.resource), attributes, context).then((converted) => {
    const next = converted[Symbol.iterator]();
    return {
      object: object && (next.next().value as ApiObject),
      old: old && (next.next().value as ApiObject),
    };
  });
}

/** Converts the object of a webhook back to the version of the request. */
export async function fromReviewed(
  reviewed: ApiObject,
  attributes: AdmissionAttributes,
  match: Match,
  context: AdmissionContext,
): Promise<ApiObject> {
  if (isRequested(attributes, match)) return reviewed;
  const [converted] = await convert([reviewed], groupVersion(attributes.type), attributes, context);
  return converted as ApiObject;
}

/** Returns whether the match has the requested version. Kinds of subresources have no other version here. */
function isRequested({ type, subresource }: AdmissionAttributes, { resource }: Match): boolean {
  const isSame = resource.group === type.group && resource.version === type.version;
  return isSame || (subresource !== "" && subresource !== "status");
}

function convert(
  objects: ApiObject[],
  apiVersion: string,
  { type, request }: AdmissionAttributes,
  context: AdmissionContext,
): Promise<ApiObject[]> {
  return context.kindOf(type).convert(objects, apiVersion, request.signal);
}
