import {
  type Client,
  type CustomResourceDefinition,
  customResourceDefinitions,
  defineResource,
  type KubeObject,
} from "@operator-path/client";

export interface Memcached extends KubeObject {
  spec?: { size?: number };
  status?: { nodes?: string[]; observedGeneration?: number };
}

export const memcacheds = defineResource<Memcached>({
  ...{ group: "cache.example.com", version: "v1alpha1", kind: "Memcached", plural: "memcacheds" },
  namespaced: true,
});

const { group, kind, plural, version } = memcacheds;

export const memcachedDefinition: CustomResourceDefinition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `${plural}.${group}` },
  spec: {
    group,
    names: { kind, plural, singular: "memcached", listKind: "MemcachedList" },
    scope: "Namespaced",
    versions: [
      {
        ...{ name: version, served: true, storage: true },
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: { type: "object", properties: { size: { type: "integer" } } },
              status: {
                type: "object",
                properties: {
                  nodes: { type: "array", items: { type: "string" } },
                  observedGeneration: { type: "integer" },
                },
              },
            },
          },
        },
      },
    ],
  },
};

/** Creates the CRD of Memcached. */
export async function installMemcached(connection: Client): Promise<void> {
  await connection.resource(customResourceDefinitions).create(memcachedDefinition);
}

export const memcached = (name: string, size = 1): Memcached => ({
  apiVersion: "cache.example.com/v1alpha1",
  kind: "Memcached",
  metadata: { name, namespace: "default" },
  spec: { size },
});
