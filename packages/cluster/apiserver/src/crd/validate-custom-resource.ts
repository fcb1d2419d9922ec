import type { StatusCause } from "../errors.ts";
import { type ApiObject, isJsonObject, type JsonValue } from "../json.ts";
import type { RawSchema } from "../types/schema.ts";
import { invalid, required } from "../validation/cause.ts";
import { validateObjectMeta } from "../validation/object-meta.ts";
import { validateListTypes } from "./list-types.ts";
import { validateValue } from "./validate-value.ts";

export interface CustomResourceContext {
  group: string;
  version: string;
  kind: string;
  /** The object before an update. */
  old?: ApiObject | undefined;
  namespaced: boolean;
  /** "status": only the status is looked at. */
  subresource?: string | undefined;
}

/**
 * Checks a custom resource against the schema of its version, after pruning and defaulting. Rules in CEL
 * (x-kubernetes-validations) are not run: a definition that has them is answered with a warning (crd/cel-warning.ts).
 */
export function validateCustomResource(
  object: ApiObject,
  schema: RawSchema,
  { group, version, kind, old, namespaced, subresource }: CustomResourceContext,
): StatusCause[] {
  // A patch can get here with another kind; of the rest nothing can be said then.
  const apiVersion = `${group}/${version}`;
  if (object.apiVersion !== apiVersion) {
    return [invalid("apiVersion", object.apiVersion, `must be ${apiVersion}`)];
  }
  if (object.kind !== kind) return [invalid("kind", object.kind, `must be ${kind}`)];
  if (subresource === "status") return validateStatus(object, schema, old);
  return [
    ...validateObjectMeta(object.metadata, "metadata", { namespaced, old: old?.metadata }),
    ...validateValue(object, schema, "", old),
    ...validateListTypes(object, schema),
    ...validateEmbedded(object, schema, ""),
  ];
}

function validateStatus(object: ApiObject, schema: RawSchema, old: ApiObject | undefined): StatusCause[] {
  const { status } = object;
  const statusSchema = schema.properties?.status;
  if (status === undefined || statusSchema === undefined) return [];
  const causes = validateValue(status, statusSchema, "", old?.status).map((cause) => ({
    ...cause,
    field: cause.field === "<nil>" ? "status" : `status.${cause.field}`,
  }));
  return [...causes, ...validateListTypes(status, statusSchema, "status")];
}

/** Objects in objects have apiVersion and kind, and metadata as everything has. */
function validateEmbedded(
  value: JsonValue | undefined,
  schema: RawSchema | undefined,
  path: string,
): StatusCause[] {
  if (schema === undefined) return [];
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => validateEmbedded(item, schema.items, `${path}[${index}]`));
  }
  if (!isJsonObject(value)) return [];
  const causes: StatusCause[] = [];
  if (schema["x-kubernetes-embedded-resource"] === true) {
    for (const key of ["apiVersion", "kind"]) {
      if (typeof value[key] !== "string" || value[key] === "") causes.push(required(`${path}.${key}`));
    }
  }
  const { properties = {}, additionalProperties } = schema;
  for (const key of Object.keys(value)) {
    const declared = Object.hasOwn(properties, key) ? properties[key] : undefined;
    const member = declared ?? (typeof additionalProperties === "object" ? additionalProperties : undefined);
    const inner = declared === undefined ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`;
    causes.push(...validateEmbedded(value[key], member, inner));
  }
  return causes;
}
