import type { RawSchema } from "../apimachinery/schema/schema.ts";
import type { JsonObject, ObjectMeta } from "../lib/json/json.ts";
import type { CustomType, ResourceType, ScalePaths } from "../server/types/resource-type.ts";

/** The fields of an apiextensions/v1 CustomResourceDefinition that the registry reads. They must be valid. */
export interface CustomResourceDefinition {
  metadata?: ObjectMeta;
  spec: {
    group: string;
    scope: "Namespaced" | "Cluster";
    names: {
      plural: string;
      kind: string;
      singular?: string;
      listKind?: string;
      shortNames?: string[];
      categories?: string[];
    };
    versions: CustomVersionSpec[];
    preserveUnknownFields?: boolean;
    conversion?: Conversion;
  };
}

/** apiextensions/v1 CustomResourceConversion. */
export type Conversion =
  | { strategy: "None" }
  | {
      strategy: "Webhook";
      webhook: { clientConfig: JsonObject; conversionReviewVersions: string[] };
    };

export interface CustomVersionSpec {
  name: string;
  served: boolean;
  storage: boolean;
  deprecated?: boolean;
  deprecationWarning?: string;
  schema?: { openAPIV3Schema?: RawSchema };
  subresources?: {
    status?: Record<string, never>;
    scale?: ScalePaths;
  };
  selectableFields?: { jsonPath: string }[];
  additionalPrinterColumns?: PrinterColumn[];
}

/** apiextensions/v1 CustomResourceColumnDefinition. */
export interface PrinterColumn {
  name: string;
  type: string;
  jsonPath: string;
  format?: string;
  description?: string;
  priority?: number;
}

/** One version of a CustomResourceDefinition. */
export interface CustomVersion extends CustomType {
  readonly spec: CustomVersionSpec;
  /** All versions of the definition, including those that are not served. */
  readonly versions: readonly CustomVersionSpec[];
  /** How objects are converted to another version. */
  readonly conversion: Conversion;
}

export interface CustomResourceType extends ResourceType {
  readonly custom: CustomVersion;
}

/** Returns whether a type is a version of a CustomResourceDefinition. `customTypes` creates all of these. */
export function isCustom(type: ResourceType): type is CustomResourceType {
  return type.custom !== undefined;
}
