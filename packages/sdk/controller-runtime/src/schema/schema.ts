/**
 * The schema that controller-gen writes into zz_generated.resources.ts: the part of a CRD's schema that can
 * be checked without a server. CEL rules are left to the server.
 */
export interface ResourceSchema {
  readonly type?: string;
  readonly format?: string;
  readonly nullable?: boolean;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, ResourceSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: ResourceSchema | boolean;
  readonly items?: ResourceSchema;
  readonly allOf?: readonly ResourceSchema[];
  readonly anyOf?: readonly ResourceSchema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly "x-kubernetes-int-or-string"?: boolean;
  readonly "x-kubernetes-preserve-unknown-fields"?: boolean;
  readonly "x-kubernetes-embedded-resource"?: boolean;
  readonly "x-kubernetes-list-type"?: string;
  readonly "x-kubernetes-list-map-keys"?: readonly string[];
}
