import type { RawSchema } from "../../apimachinery/schema/schema.ts";
import type { JsonObject } from "../../lib/json/json.ts";
import { referredDefinitions } from "../../server/openapi/components.ts";
import type { TypeRegistry } from "../../server/types/registry.ts";
import type { ResourceType } from "../../server/types/resource-type.ts";
import { isCustom } from "../custom-resource-definition.ts";
import { withObjectFields } from "../custom-schema.ts";
import { customPaths } from "./paths.ts";

const META = "io.k8s.apimachinery.pkg.apis.meta.v1";
const REFERENCE = "#/components/schemas/";

/** Returns the document of a group-version of custom resources. */
export function customDocument(types: ResourceType[], registry: TypeRegistry): JsonObject {
  const own: Record<string, RawSchema> = {};
  let paths: JsonObject = {};
  for (const type of types) {
    const name = definitionName(type, type.kind);
    own[name] = {
      ...withObjectFields(type.custom?.schema, { raw: registry.definition }),
      ...marks(type, type.kind),
    };
    own[definitionName(type, type.listKind)] = listSchema(type, name, registry);
    paths = { ...paths, ...customPaths(type, name, definitionName(type, type.listKind)) };
  }
  const schemas = { ...own, ...referredDefinitions([own, paths], registry.definition) };
  return {
    openapi: "3.0.0",
    info: { title: "Kubernetes CRD Swagger", version: "v0.1.0" },
    paths,
    components: { schemas } as unknown as JsonObject,
  };
}

/** Returns `com.ualter.v1beta1.Podbuggertool`: the reversed group, the version and the kind. */
function definitionName(type: ResourceType, kind: string): string {
  return `${type.group.split(".").reverse().join(".")}.${type.version}.${kind}`;
}

function marks(type: ResourceType, kind: string): Partial<RawSchema> & Record<string, unknown> {
  const selectable = (isCustom(type) ? type.custom.spec.selectableFields : undefined) ?? [];
  return {
    "x-kubernetes-group-version-kind": [{ group: type.group, version: type.version, kind }],
    ...(selectable.length === 0
      ? {}
      : {
          "x-kubernetes-selectable-fields": selectable.map(({ jsonPath }) => {
            return { fieldPath: jsonPath.replace(/^\./, "") };
          }),
        }),
  };
}

function listSchema(type: ResourceType, item: string, registry: TypeRegistry): RawSchema {
  const { apiVersion = {}, kind = {} } = registry.definition(`${META}.Status`)?.properties ?? {};
  return {
    description: `${type.listKind} is a list of ${type.kind}`,
    type: "object",
    required: ["items"],
    properties: {
      apiVersion,
      kind,
      items: {
        description: `List of ${type.plural}. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md`,
        type: "array",
        items: { $ref: `${REFERENCE}${item}` },
      },
      metadata: {
        description:
          "Standard list metadata. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds",
        allOf: [{ $ref: `${REFERENCE}${META}.ListMeta` }],
      },
    },
    ...marks(type, type.listKind),
  };
}
