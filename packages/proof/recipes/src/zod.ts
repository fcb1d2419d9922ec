import { configMaps, defineResource, type KubeObject } from "@operator-path/client";
import {
  asReconciler,
  type Client,
  type Manager,
  newControllerManagedBy,
  objectKeyOf,
  type Reconciler,
  setControllerReference,
} from "@operator-path/controller-runtime";
import * as z from "zod";

export const Cache = z.object({
  spec: z
    .object({
      minimum: z.int().min(1).default(1).describe("The fewest Pods."),
      maximum: z.int().max(9).default(3).describe("The most Pods."),
      settings: z.record(z.string(), z.string()).default({}),
    })
    .meta({
      "x-kubernetes-validations": [
        { rule: "self.minimum <= self.maximum", message: "minimum is greater than maximum" },
      ],
    }),
  status: z.object({ configMap: z.string() }).optional(),
});

export const caches = defineResource({
  group: "cache.example.com",
  version: "v1",
  kind: "Cache",
  plural: "caches",
  namespaced: true,
  schema: Cache,
});

/** Creates the reconciler of Caches: each has a ConfigMap with its settings. */
export function createCacheReconciler(client: Client): Reconciler {
  return asReconciler(client, caches, async (cache) => {
    const { namespace, name } = objectKeyOf(cache);
    // All three have a value, because the server has filled in the defaults.
    const { minimum, maximum, settings } = cache.spec;
    await client.apply(
      {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: setControllerReference<KubeObject>(cache, { metadata: { namespace, name } }).metadata,
        data: { ...settings, pods: `${minimum}-${maximum}` },
      },
      { fieldManager: "cache-operator", force: true },
    );
    if (cache.status?.configMap === name) return;
    await client.status.update({ ...cache, status: { configMap: name } });
  });
}

/** Adds the controller of Caches to the manager. */
export function setupCaches(manager: Manager): void {
  newControllerManagedBy(manager)
    .for(caches)
    .owns(configMaps)
    .complete(createCacheReconciler(manager.client));
}

/**
 * Returns a Cache that can be created.
 *
 * @param spec fields with defaults may be missing
 * @throws ZodError that names each wrong field
 */
export function newCache(name: string, spec: z.input<typeof Cache>["spec"]) {
  return { metadata: { name }, ...Cache.parse({ spec }) };
}
