import { type Client, defineResource, isAlreadyExists, type StorageClass } from "@operator-path/client";

const storageClasses = defineResource<StorageClass>({
  group: "storage.k8s.io",
  version: "v1",
  kind: "StorageClass",
  plural: "storageclasses",
  namespaced: false,
});

/** Creates the StorageClass that claims get which name none, as clusters of kind have it. The controllers provision for it. */
export async function installStorageClass(client: Client): Promise<void> {
  const annotations = { "storageclass.kubernetes.io/is-default-class": "true" };
  await client
    .resource(storageClasses)
    .create({
      metadata: { name: "standard", annotations },
      provisioner: "rancher.io/local-path",
      reclaimPolicy: "Delete",
      volumeBindingMode: "WaitForFirstConsumer",
    })
    .catch((error) => {
      if (!isAlreadyExists(error)) throw error;
    });
}
