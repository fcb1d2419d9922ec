import { createHash } from "node:crypto";
import {
  type ConfigMap,
  configMaps,
  defineResource,
  deployments,
  type KubeObject,
  type Secret,
  secrets,
} from "@operator-path/client";
import {
  asReconciler,
  type Client,
  enqueueRequestsFromMapFunc,
  ignoreNotFound,
  type Manager,
  newControllerManagedBy,
  objectKeyOf,
  type Reconciler,
  setControllerReference,
} from "@operator-path/controller-runtime";

export interface Relay extends KubeObject {
  spec?: { image: string; configMap: string; secret: string };
}

export const relays = defineResource<Relay>({
  ...{ group: "net.example.com", version: "v1", kind: "Relay", plural: "relays" },
  namespaced: true,
});

export const annotation = "net.example.com/config-hash";

/** Returns a hash of the contents. The order of the keys, labels and annotations do not matter. */
export function configHash(...sources: readonly (ConfigMap | Secret)[]): string {
  const contents = sources.map((source) => {
    const binaryData = "binaryData" in source ? source.binaryData : undefined;
    return [sorted(source.data), sorted(binaryData)];
  });
  return createHash("sha256").update(JSON.stringify(contents)).digest("hex");
}

function sorted(data: Readonly<Record<string, string>> = {}): [string, string][] {
  return Object.entries(data).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Creates the reconciler of Relays. */
export function createRelayReconciler(client: Client): Reconciler {
  return asReconciler(client, relays, async (relay, { log }) => {
    if (relay.metadata?.deletionTimestamp) return;
    const { namespace, name } = objectKeyOf(relay);
    const { image = "", configMap = "", secret = "" } = relay.spec ?? {};
    const config = await client.get(configMaps, { namespace, name: configMap }).catch(ignoreNotFound);
    const credentials = await client.get(secrets, { namespace, name: secret }).catch(ignoreNotFound);
    // The watches reconcile the Relay again when the missing one is created.
    if (!config || !credentials) return log.info(`waiting for ConfigMap ${configMap} and Secret ${secret}`);

    const labels = { app: name };
    await client.apply(
      {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: setControllerReference<KubeObject>(relay, { metadata: { namespace, name } }).metadata,
        spec: {
          selector: { matchLabels: labels },
          template: {
            metadata: { labels, annotations: { [annotation]: configHash(config, credentials) } },
            spec: {
              containers: [
                {
                  name: "relay",
                  image,
                  envFrom: [{ secretRef: { name: secret } }],
                  volumeMounts: [{ name: "config", mountPath: "/etc/relay" }],
                },
              ],
              volumes: [{ name: "config", configMap: { name: configMap } }],
            },
          },
        },
      },
      { fieldManager: "relay-operator", force: true },
    );
  });
}

/** Adds the controller of Relays to the manager. */
export function setupRelays(manager: Manager): void {
  const { cache, client } = manager;
  cache.indexField(relays, "spec.configMap", ({ spec }) => [spec?.configMap ?? ""]);
  cache.indexField(relays, "spec.secret", ({ spec }) => [spec?.secret ?? ""]);
  const namedIn = (field: "spec.configMap" | "spec.secret") =>
    enqueueRequestsFromMapFunc(async (source) => {
      const { namespace, name } = objectKeyOf(source);
      return (await client.list(relays, { namespace, fields: { [field]: name } })).map(objectKeyOf);
    });
  newControllerManagedBy(manager)
    .for(relays)
    .owns(deployments)
    .watches(configMaps, namedIn("spec.configMap"))
    .watches(secrets, namedIn("spec.secret"))
    .complete(createRelayReconciler(client));
}
