import type { RawSchema } from "../../apimachinery/schema/schema.ts";
import type { JsonObject, ObjectMeta } from "../../lib/json/json.ts";

/** What the registry reads of an apiextensions/v1 CustomResourceDefinition; it has to be a valid one. */
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
    scale?: { specReplicasPath: string; statusReplicasPath: string; labelSelectorPath?: string };
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

/** What a ResourceType of a custom resource knows beyond a built-in one. */
export interface CustomVersion {
  /** Name of the CustomResourceDefinition: `<plural>.<group>`. */
  readonly definition: string;
  /** As in the definition; undefined where it states none. */
  readonly schema: RawSchema | undefined;
  readonly spec: CustomVersionSpec;
  /** All versions of the definition, those that are not served too. */
  readonly versions: readonly CustomVersionSpec[];
  /** How objects become those of another version. */
  readonly conversion: Conversion;
  /** Changes with everything that the OpenAPI document of the version depends on. */
  readonly hash: string;
}
