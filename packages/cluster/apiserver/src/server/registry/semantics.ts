import { validateCustomResource } from "../../apiextensions/custom-resource/validate-custom-resource.ts";
import type { StatusCause } from "../../apimachinery/errors.ts";
import { defaultCustomResource } from "../../apimachinery/schema/default.ts";
import { type DecodeTarget, decodeObject } from "../../apimachinery/serializer/decode.ts";
import { applyDefaults } from "../../kinds/apply-defaults.ts";
import { validateObject } from "../../kinds/validate-object.ts";
import type { ApiObject } from "../../lib/json/json.ts";
import type { ApiRequest } from "../http/request.ts";
import type { TypeRegistry } from "../types/registry.ts";
import type { ResourceType } from "../types/resource-type.ts";

/** A kind of body: a resource's own, or that of a subresource. */
export interface BodyKind {
  group: string;
  version: string;
  kind: string;
  custom?: unknown;
}

/** What decoding needs of the server: the schemas of the kinds. */
interface SchemaContext {
  readonly registry: Pick<TypeRegistry, "schema">;
}

export function decodeTarget(context: SchemaContext, kind: BodyKind, fieldValidation: string): DecodeTarget {
  return {
    group: kind.group,
    version: kind.version,
    kind: kind.kind,
    schema: context.registry.schema(kind.group, kind.version, kind.kind),
    customResource: kind.custom !== undefined,
    fieldValidation,
  };
}

/** The body of a create or an update. @throws ApiStatusError 400, 413, 415, 422 */
export async function decodeBody(
  context: SchemaContext,
  kind: BodyKind,
  request: ApiRequest,
  fieldValidation: string,
): Promise<ApiObject> {
  const body = await request.body();
  const target = decodeTarget(context, kind, fieldValidation);
  const { object, warnings } = decodeObject(body, request.headers["content-type"], target);
  for (const warning of warnings) request.warn(warning);
  return object;
}

export function applyTypeDefaults(object: ApiObject, type: ResourceType): void {
  if (type.custom === undefined) applyDefaults(object, type);
  else if (type.custom.schema !== undefined) defaultCustomResource(object, type.custom.schema);
}

/** @returns what is wrong with an object that is about to be stored: nothing, if it may be */
export function validate(
  object: ApiObject,
  type: ResourceType,
  options: { old?: ApiObject; subresource?: string; warn?: (text: string) => void },
): StatusCause[] {
  if (type.custom === undefined) return validateObject(object, type, options);
  const { group, version, kind, namespaced, custom } = type;
  const scale = custom.spec.subresources?.scale;
  return validateCustomResource(object, custom.schema ?? {}, {
    ...options,
    group,
    version,
    kind,
    namespaced,
    scale,
  });
}
