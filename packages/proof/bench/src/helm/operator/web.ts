import { type CustomResourceDefinition, defineResource, type KubeObject } from "@operator-path/client";

export const webs = defineResource<KubeObject & { spec?: object }>({
  ...{ group: "bench.example.com", version: "v1", kind: "Web", plural: "webs", namespaced: true },
});

const anything = { type: "object", "x-kubernetes-preserve-unknown-fields": true };

export const webDefinition: CustomResourceDefinition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "webs.bench.example.com" },
  spec: {
    group: "bench.example.com",
    scope: "Namespaced",
    names: { plural: "webs", singular: "web", kind: "Web", listKind: "WebList" },
    versions: [
      {
        ...{ name: "v1", served: true, storage: true },
        schema: { openAPIV3Schema: { type: "object", properties: { spec: anything, status: anything } } },
        subresources: { status: {} },
      },
    ],
  },
};
