import { defineResource, type KubeObject, secrets } from "@operator-path/client";
import {
  asReconciler,
  type Client,
  enqueueRequestsFromMapFunc,
  generationChanged,
  ignoreNotFound,
  type Manager,
  newControllerManagedBy,
  objectKeyOf,
  type Reader,
  type Reconciler,
} from "@operator-path/controller-runtime";

export interface Database extends KubeObject {
  spec?: { passwordSecret: string };
  status?: { passwordVersion?: string };
}

export const databases = defineResource<Database>({
  ...{ group: "data.example.com", version: "v1", kind: "Database", plural: "databases" },
  namespaced: true,
});

/** The name of the index. By convention it is the path of the field. */
const byPasswordSecret = "spec.passwordSecret";

/** Creates the reconciler of Databases. It reads Secrets from `secretReader`. */
export function createDatabaseReconciler(client: Client, secretReader: Reader): Reconciler {
  return asReconciler(client, databases, async (database, { signal }) => {
    const { namespace } = objectKeyOf(database);
    const { passwordSecret = "" } = database.spec ?? {};
    const secret = await secretReader
      .get(secrets, { namespace, name: passwordSecret }, { signal })
      .catch(ignoreNotFound);
    // A real operator sets the password here.
    const passwordVersion = secret?.metadata?.resourceVersion ?? "";
    if (database.status?.passwordVersion === passwordVersion) return;
    await client.status.update({ ...database, status: { passwordVersion } });
  });
}

/** Adds the controller of Databases to the manager. */
export function setupDatabases(manager: Manager): void {
  const { apiReader, cache, client } = manager;
  cache.indexField(databases, byPasswordSecret, ({ spec }) => (spec ? [spec.passwordSecret] : []));

  newControllerManagedBy(manager)
    .for(databases, { predicates: [generationChanged] })
    .watchesMetadata(
      secrets,
      enqueueRequestsFromMapFunc(async (secret) => {
        const { namespace, name } = objectKeyOf(secret);
        const naming = await client.list(databases, { namespace, fields: { [byPasswordSecret]: name } });
        return naming.map(objectKeyOf);
      }),
    )
    .complete(createDatabaseReconciler(client, apiReader));
}
