import type { RawSchema } from "../apimachinery/schema/schema.ts";
import type { Definitions } from "../server/types/data.ts";

const META = "io.k8s.apimachinery.pkg.apis.meta.v1";

/**
 * The schema of a custom kind as the server publishes and decodes it: apiVersion, kind and metadata are those of every
 * object, whatever the definition says of them. A version without a schema keeps all fields.
 */
export function withObjectFields(
  schema: RawSchema | undefined,
  definitions: Pick<Definitions, "raw">,
): RawSchema {
  // Status stands for any kind here: these two fields are described alike everywhere.
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
