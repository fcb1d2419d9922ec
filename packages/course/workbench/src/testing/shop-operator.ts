/** A small operator for tests: copies each ConfigMap with the label `copy`. With `--leader-elect`, one leads. */
import { configMaps, KubeConfig } from "@operator-path/client";
import {
  createManager,
  createScheme,
  ignoreNotFound,
  newControllerManagedBy,
  setupSignalHandler,
} from "@operator-path/controller-runtime";

const kubeConfig = new KubeConfig();
kubeConfig.loadFromDefault();
const manager = createManager(kubeConfig, {
  scheme: createScheme(configMaps),
  leaderElection: process.argv.includes("--leader-elect") && { id: "shop", namespace: "default" },
  userAgent: "shop",
});
const { client } = manager;
newControllerManagedBy(manager)
  .for(configMaps)
  .named("shop")
  .complete(async ({ namespace, name }) => {
    const source = await client.get(configMaps, { namespace, name }).catch(ignoreNotFound);
    if (!source?.metadata?.labels?.copy) return {};
    const copy = { namespace, name: `${name}-copy` };
    if (await client.get(configMaps, copy).catch(ignoreNotFound)) return {};
    await client.create({ apiVersion: "v1", kind: "ConfigMap", metadata: copy, data: source.data });
    return {};
  });

await manager.start(setupSignalHandler());
