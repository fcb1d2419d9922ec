import { type DecodeTarget, decodeObject } from "../../apimachinery/serializer/decode.ts";
import type { ApiObject } from "../../lib/json/json.ts";
import type { ApiRequest } from "../http/request.ts";
import type { TypeRegistry } from "../types/registry.ts";

/** The kind of a body: a resource's own, or that of a subresource. */
export interface BodyKind {
  group: string;
  version: string;
  kind: string;
  custom?: unknown;
}

/** The parts of the server that decoding uses: the schemas of the kinds. */
export interface SchemaContext {
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
    schemaOf: context.registry.schema,
  };
}

/** Decodes the body of a create or an update. @throws ApiStatusError 400, 413, 415 or 422 */
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
