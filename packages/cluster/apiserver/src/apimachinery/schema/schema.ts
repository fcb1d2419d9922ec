import type { JsonValue } from "../../lib/json/json.ts";

/** A schema of an OpenAPI v3 document or a CustomResourceDefinition. */
export interface RawSchema {
  $ref?: string;
  description?: string;
  type?: string;
  format?: string;
  title?: string;
  default?: JsonValue;
  enum?: JsonValue[];
  nullable?: boolean;
  required?: string[];
  properties?: Record<string, RawSchema>;
  items?: RawSchema;
  additionalProperties?: RawSchema | boolean;
  allOf?: RawSchema[];
  anyOf?: RawSchema[];
  oneOf?: RawSchema[];
  not?: RawSchema;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: boolean;
  exclusiveMaximum?: boolean;
  multipleOf?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  minProperties?: number;
  maxProperties?: number;
  "x-kubernetes-group-version-kind"?: { group: string; version: string; kind: string }[];
  /** `merge`, `replace`, `retainKeys`, or two of them separated by a comma. */
  "x-kubernetes-patch-strategy"?: string;
  "x-kubernetes-patch-merge-key"?: string;
  "x-kubernetes-list-type"?: "atomic" | "set" | "map";
  "x-kubernetes-list-map-keys"?: string[];
  "x-kubernetes-map-type"?: "atomic" | "granular";
  "x-kubernetes-preserve-unknown-fields"?: boolean;
  "x-kubernetes-int-or-string"?: boolean;
  "x-kubernetes-embedded-resource"?: boolean;
  "x-kubernetes-validations"?: ValidationRule[];
}

/** apiextensions/v1 ValidationRule: a CEL expression that must be true. */
export interface ValidationRule {
  rule: string;
  message?: string;
  messageExpression?: string;
  /** FieldValueInvalid, FieldValueForbidden, FieldValueRequired or FieldValueDuplicate. */
  reason?: string;
  fieldPath?: string;
  optionalOldSelf?: boolean;
}

/** A schema with resolved references: its properties, items and additionalProperties have no `$ref`. */
export interface Schema extends RawSchema {
  $ref?: never;
  /** The definition of this node: `io.k8s.api.core.v1.Container`. */
  ref?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema | boolean;
}

const referencePrefix = "#/components/schemas/";

/**
 * Returns a function that resolves a definition by name, or returns undefined for an unknown name. References
 * are resolved when they are read. So recursive definitions (JSONSchemaProps) work, and unread ones cost
 * nothing.
 */
export function createSchemaResolver(
  definition: (name: string) => RawSchema | undefined,
): (name: string) => Schema | undefined {
  const resolved = new Map<string, Schema>();

  function resolveDefinition(name: string): Schema | undefined {
    const known = resolved.get(name);
    if (known !== undefined) return known;
    const raw = definition(name);
    if (raw === undefined) return undefined;
    const schema: Schema = { ...resolve(raw), ref: name };
    resolved.set(name, schema);
    return schema;
  }

  function resolve(raw: RawSchema): Schema {
    const { $ref, allOf, properties, items, additionalProperties, ...own } = raw;
    // OpenAPI v3 puts a reference with siblings (description, default) into an allOf with one element.
    const reference = $ref ?? (allOf?.length === 1 ? allOf[0]?.$ref : undefined);
    const base =
      reference === undefined ? undefined : resolveDefinition(reference.slice(referencePrefix.length));
    return {
      ...base,
      ...own,
      ...(allOf !== undefined && reference === undefined ? { allOf } : {}),
      ...(properties === undefined ? {} : { properties: lazily(properties) }),
      ...(items === undefined ? {} : { items: resolve(items) }),
      ...(additionalProperties === undefined
        ? {}
        : {
            additionalProperties:
              typeof additionalProperties === "boolean"
                ? additionalProperties
                : resolve(additionalProperties),
          }),
    };
  }

  function lazily(properties: Record<string, RawSchema>): Record<string, Schema> {
    // The record has no prototype, because a field may be called "constructor".
    const record: Record<string, Schema> = Object.create(null);
    for (const [key, raw] of Object.entries(properties)) {
      let value: Schema | undefined;
      Object.defineProperty(record, key, {
        enumerable: true,
        get: () => {
          value ??= resolve(raw);
          return value;
        },
      });
    }
    return record;
  }

  return resolveDefinition;
}
