import { ApiStatusError, internalError } from "../../../apimachinery/errors.ts";
import { decodeObject } from "../../../apimachinery/serializer/decode.ts";
import type { ApiObject, JsonObject, JsonValue } from "../../../lib/json/json.ts";
import { decodeTarget } from "../../registry/decode-body.ts";
import { groupVersion } from "../../types/resource-type.ts";
import type { AdmissionAttributes, AdmissionContext } from "../admission.ts";
import type { Match } from "./review.ts";

/**
 * What a webhook has made of an object, read like a client's body: fields that nobody knows are gone, defaults are there.
 * @param webhook its name
 * @throws ApiStatusError 500 when it is no such object any more
 */
export function redecode(
  webhook: string,
  patched: ApiObject,
  { kind, resource }: Match,
  attributes: AdmissionAttributes,
  context: AdmissionContext,
): ApiObject {
  const { group, version } = resource;
  const type = context.registry.find(group, version, resource.resource) ?? attributes.type;
  const target = decodeTarget(
    context,
    { ...kind, ...(type.custom === undefined ? {} : { custom: type.custom }) },
    "Ignore",
  );
  const apiVersion = groupVersion(kind);
  checkKind(webhook, patched, { apiVersion, kind: kind.kind });
  try {
    const { object } = decodeObject(
      Buffer.from(JSON.stringify({ ...patched, apiVersion, kind: kind.kind })),
      "application/json",
      target,
    );
    if (kind.kind === type.kind) context.kindOf(type).setDefaults(object);
    return object;
  } catch (error) {
    if (error instanceof ApiStatusError) throw internalError(words(error.message));
    throw error;
  }
}

/** Go's decoder fills in what is missing; it makes no object of one kind of an object of another. @throws ApiStatusError 500 */
function checkKind(
  webhook: string,
  patched: JsonObject,
  expected: { apiVersion: string; kind: string },
): void {
  const { apiVersion = "", kind = "" } = patched;
  const same = (got: JsonValue, wanted: string) => got === null || got === "" || got === wanted;
  if (same(apiVersion, expected.apiVersion) && same(kind, expected.kind)) return;
  throw internalError(
    `admission webhook ${JSON.stringify(webhook)} changed what the object is: expected apiVersion ${JSON.stringify(expected.apiVersion)}, kind ${JSON.stringify(expected.kind)}, got apiVersion ${JSON.stringify(apiVersion)}, kind ${JSON.stringify(kind)}`,
  );
}

/** The decoder's words without its head, which names the request's body. */
function words(message: string): string {
  return message.replace(/^.* cannot be handled as a [^:]+: /, "");
}
