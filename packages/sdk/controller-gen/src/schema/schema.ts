import type { Json } from "../yaml/emit.ts";

/**
 * The keywords of a CustomResourceDefinition's schema that types produce (apiextensions/v1 JSONSchemaProps).
 */
export interface Schema {
  /** The key of a type. Flattening replaces every reference. */
  $ref?: string;
  additionalProperties?: Schema | boolean;
  allOf?: Schema[];
  anyOf?: Schema[];
  default?: Json;
  description?: string;
  enum?: Json[];
  example?: Json;
  exclusiveMaximum?: boolean;
  exclusiveMinimum?: boolean;
  externalDocs?: { url: string; description?: string };
  format?: string;
  items?: Schema;
  maxItems?: number;
  maxLength?: number;
  maxProperties?: number;
  maximum?: number;
  minItems?: number;
  minLength?: number;
  minProperties?: number;
  minimum?: number;
  multipleOf?: number;
  nullable?: boolean;
  oneOf?: Schema[];
  pattern?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  title?: string;
  type?: string;
  uniqueItems?: boolean;
  "x-kubernetes-embedded-resource"?: boolean;
  "x-kubernetes-int-or-string"?: boolean;
  "x-kubernetes-list-map-keys"?: string[];
  "x-kubernetes-list-type"?: string;
  "x-kubernetes-map-type"?: string;
  "x-kubernetes-preserve-unknown-fields"?: boolean;
  "x-kubernetes-validations"?: ValidationRule[];
}

/** A CEL rule (apiextensions/v1 ValidationRule). */
export interface ValidationRule {
  rule: string;
  message?: string;
  messageExpression?: string;
  reason?: string;
  fieldPath?: string;
  optionalOldSelf?: boolean;
}
