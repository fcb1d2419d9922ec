import type { CustomResourceDefinition } from "@operator-path/client";
import { memcacheds } from "./operator/memcached.ts";

const { group, kind, plural, version } = memcacheds;
const spec = { type: "object", properties: { size: { type: "integer", format: "int32" } } };
const nodes = { type: "array", items: { type: "string" } };
const observedGeneration = { type: "integer", format: "int64" };
const status = { type: "object", properties: { nodes, observedGeneration } };

export const memcachedDefinition: CustomResourceDefinition = {
  metadata: { name: `${plural}.${group}` },
  spec: {
    group,
    names: { kind, plural, singular: "memcached", listKind: `${kind}List` },
    scope: "Namespaced",
    versions: [
      {
        ...{ name: version, served: true, storage: true },
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: "object", properties: { spec, status } } },
      },
    ],
  },
};
