import { ApiStatusError, internalError } from "../../../apimachinery/errors.ts";
import { decodeObject } from "../../../apimachinery/serializer/decode.ts";
import type { ApiObject, JsonObject, JsonValue } from "../../../lib/json/json.ts";
import { decodeTarget } from "../../registry/decode-body.ts";
import { groupVersion } from "../../types/resource-type.ts";
import type { AdmissionAttributes, AdmissionContext } from "../admission.ts";
import type { Match } from "./review.ts";

/**
 * Decodes the object of a webhook like a client's body: unknown fields are dropped, and defaults are set.
 * @param webhook its name
 * @throws ApiStatusError 500 when the object is invalid
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
    if (error instanceof ApiStatusError) throw internalError(withoutHead(error.message));
    throw error;
  }
}

/** Checks the kind. Go's decoder adds a missing kind, but does not change one. @throws ApiStatusError 500 */
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

/** Removes the beginning of the decoder's message, which names the request's body. */
function withoutHead(message: string): string {
  return message.replace(/^.* cannot be handled as a [^:]+: /, "");
}
