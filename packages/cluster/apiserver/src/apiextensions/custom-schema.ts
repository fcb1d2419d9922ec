import type { RawSchema } from "../apimachinery/schema/schema.ts";
import type { Definitions } from "../server/types/data.ts";

const META = "io.k8s.apimachinery.pkg.apis.meta.v1";

/**
 * Returns the schema of a custom kind as the server publishes and decodes it. apiVersion, kind and metadata
 * are the same as in every object, whatever the definition says about them. A version without a schema keeps
 * all fields.
 */
export function withObjectFields(
  schema: RawSchema | undefined,
  definitions: Pick<Definitions, "raw">,
): RawSchema {
  // Status serves as the example: these two fields have the same description in every kind.
  const { apiVersion = {}, kind = {} } = definitions.raw(`${META}.Status`)?.properties ?? {};
  return {
    ...(schema ?? { "x-kubernetes-preserve-unknown-fields": true }),
    type: "object",
    properties: {
      ...schema?.properties,
      apiVersion,
      kind,
      metadata: {
        description:
          "Standard object's metadata. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata",
        allOf: [{ $ref: `#/components/schemas/${META}.ObjectMeta` }],
      },
    },
  };
}
