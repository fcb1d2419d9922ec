import type { StatusCause } from "../../apimachinery/errors.ts";
import type { RawSchema } from "../../apimachinery/schema/schema.ts";
import { invalid, required } from "../../apimachinery/validation/cause.ts";
import { validateObjectMeta } from "../../apimachinery/validation/object-meta.ts";
import { type ApiObject, isJsonObject, type JsonValue } from "../../lib/json/json.ts";
import type { ScalePaths } from "../../server/types/resource-type.ts";
import { rulesOf } from "../rules/compile-rules.ts";
import { validateRules } from "../rules/validate-rules.ts";
import { validateListTypes } from "./list-types.ts";
import { validateScaleValues } from "./validate-scale-values.ts";
import { validateValue } from "./validate-value.ts";

interface CustomResourceContext {
  group: string;
  version: string;
  kind: string;
  /** The object before an update. */
  old?: ApiObject | undefined;
  namespaced: boolean;
  /** "status": validates only the status. */
  subresource?: string | undefined;
  /** Paths of the scale subresource, if there is one. */
  scale?: ScalePaths | undefined;
  /** Called for each problem that is accepted because the value has not changed. */
  warn?: ((text: string) => void) | undefined;
}

/**
 * Validates a custom resource against the schema of its version, and then against the schema's CEL rules. The
 * object must be pruned and have its defaults.
 */
export function validateCustomResource(
  object: ApiObject,
  schema: RawSchema,
  context: CustomResourceContext,
): StatusCause[] {
  const { old, namespaced, subresource, scale } = context;
  const typeCauses = validateTypeMeta(object, context);
  const isStatus = subresource === "status";
  const causes = [...typeCauses];
  // The schema's values say nothing about an object of another kind.
  if (typeCauses.length === 0) {
    causes.push(
      ...(isStatus
        ? validateStatus(object, schema, old)
        : [
            ...validateObjectMeta(object.metadata, "metadata", { namespaced, old: old?.metadata }),
            ...validateValue(object, schema, "", old),
          ]),
    );
    if (scale !== undefined) causes.push(...validateScaleValues(object, scale, isStatus));
  }
  if (!isStatus) causes.push(...validateEmbedded(object, schema, ""));
  // Nothing is reported about a list that was already invalid.
  const wasValid = old === undefined || validateListTypes(old, schema).length === 0;
  if (!isStatus && wasValid) causes.push(...validateListTypes(object, schema));
  return [...causes, ...withRules(object, schema, context, causes)];
}

function validateTypeMeta({ apiVersion, kind }: ApiObject, expected: CustomResourceContext): StatusCause[] {
  const version = `${expected.group}/${expected.version}`;
  return [
    ...(kind === expected.kind ? [] : [invalid("kind", kind, `must be ${expected.kind}`)]),
    ...(apiVersion === version ? [] : [invalid("apiVersion", apiVersion, `must be ${version}`)]),
  ];
}

/** Runs the rules, unless the object violates the schema: rules may rely on it. */
function withRules(
  object: ApiObject,
  schema: RawSchema,
  { old, warn = () => undefined }: CustomResourceContext,
  causes: readonly StatusCause[],
): StatusCause[] {
  const rules = rulesOf(schema);
  if (rules === undefined) return [];
  if (!causes.some(({ reason }) => blocking.has(reason ?? ""))) {
    return validateRules(rules, object, old, warn);
  }
  const detail =
    "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation";
  return [invalid("<nil>", null, detail)];
}

const blocking = new Set([
  "FieldValueNotSupported",
  "FieldValueRequired",
  "FieldValueTooLong",
  "FieldValueTooMany",
  "FieldValueTypeInvalid",
]);

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

/** Validates embedded objects: they have apiVersion and kind, and metadata like any object. */
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
