import {
  type CustomResourceDefinition,
  customResourceDefinitions,
  defineResource,
  type KubeObject,
  type Resource,
} from "@operator-path/client";
import {
  type Client,
  convertible,
  ignoreNotFound,
  type Reader,
  retryOnConflict,
} from "@operator-path/controller-runtime";

export interface CacheV1Alpha1 extends KubeObject {
  spec?: { size?: number | undefined };
}
export interface CacheV1 extends KubeObject {
  spec?: { replicas?: number | undefined; zone?: string | undefined };
}

const names = { group: "shop.example.com", kind: "Cache", plural: "caches", namespaced: true };
export const cachesV1Alpha1 = defineResource<CacheV1Alpha1>({ ...names, version: "v1alpha1" });
export const cachesV1 = defineResource<CacheV1>({ ...names, version: "v1" });

/** Holds the zone of a Cache in v1alpha1, which has no field for it. */
const zoneAnnotation = "shop.example.com/zone";

export const cacheConverter = convertible({
  hub: cachesV1,
  spokes: [
    {
      resource: cachesV1Alpha1,
      toHub({ spec, metadata }) {
        const { [zoneAnnotation]: zone, ...annotations } = metadata?.annotations ?? {};
        return { metadata: { ...metadata, annotations }, spec: { replicas: spec?.size, zone } };
      },
      fromHub({ spec, metadata }) {
        const { zone, replicas } = spec ?? {};
        const annotations = {
          ...metadata?.annotations,
          ...(zone !== undefined && { [zoneAnnotation]: zone }),
        };
        return { metadata: { ...metadata, annotations }, spec: { size: replicas } };
      },
    },
  ],
});

/**
 * Makes the API server store each object anew, in the version that it stores now, and takes the other versions off
 * `status.storedVersions`. Can be repeated at any time.
 *
 * @param reader reads from the server: the manager's `apiReader`
 * @param resource in the storage version
 */
export async function migrateStorage(client: Client, reader: Reader, resource: Resource): Promise<void> {
  for (const { metadata: { namespace, name = "" } = {} } of await reader.list(resource)) {
    // Writes the object back unchanged. The stored apiVersion differs, so the server really writes.
    const store = async () => client.update(await reader.get(resource, { namespace, name }));
    await retryOnConflict(store).catch(ignoreNotFound);
  }
  const name = `${resource.plural}.${resource.group}`;
  const crd: CustomResourceDefinition = await reader.get(customResourceDefinitions, { name });
  await client.status.update({ ...crd, status: { ...crd.status, storedVersions: [resource.version] } });
}
