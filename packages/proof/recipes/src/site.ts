import { type CustomResourceDefinition, defineResource, type KubeObject } from "@operator-path/client";

/** The kind of several recipes: a website that runs in a number of replicas. */
export interface Site extends KubeObject {
  spec?: { host: string; replicas?: number };
  status?: { readyReplicas?: number };
}

export const sites = defineResource<Site>({
  ...{ group: "web.example.com", version: "v1", kind: "Site", plural: "sites", namespaced: true },
});

export const siteCrd: CustomResourceDefinition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "sites.web.example.com" },
  spec: {
    group: "web.example.com",
    names: { kind: "Site", listKind: "SiteList", plural: "sites", singular: "site" },
    scope: "Namespaced",
    versions: [
      {
        ...{ name: "v1", served: true, storage: true, subresources: { status: {} } },
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: {
                type: "object",
                required: ["host"],
                properties: { host: { type: "string" }, replicas: { type: "integer" } },
              },
              status: { type: "object", properties: { readyReplicas: { type: "integer" } } },
            },
          },
        },
      },
    ],
  },
};
