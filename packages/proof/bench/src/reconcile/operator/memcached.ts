import { defineResource, type KubeObject } from "@operator-path/client";

export interface Memcached extends KubeObject {
  spec?: { size: number };
  status?: { nodes?: string[]; observedGeneration?: number };
}

export const memcacheds = defineResource<Memcached>({
  ...{ group: "cache.example.com", version: "v1alpha1", kind: "Memcached", plural: "memcacheds" },
  namespaced: true,
});
