import type { ConfigMap, KubeObject } from "@operator-path/client";
import { startCachedClient } from "./cached-client.ts";

export const configMap = (
  namespace: string,
  name: string,
  labels: Record<string, string> = {},
  data: Record<string, string> = {},
): ConfigMap => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { namespace, name, labels }, data });

export const namesOf = (objects: KubeObject[]) =>
  objects.map(({ metadata }) => `${metadata?.namespace ?? ""}/${metadata?.name}`).sort();

/** Selects the test's ConfigMaps, not those that a cluster creates itself. */
export const own = { labelSelector: "own" };

/** Starts a cached client with three ConfigMaps, created past the cache. */
export async function startWithObjects(...options: Parameters<typeof startCachedClient>) {
  const world = await startCachedClient(...options);
  for (const object of [
    configMap("a", "one", { own: "", app: "x" }, { k: "1" }),
    configMap("a", "two", { own: "", app: "y" }, { k: "1" }),
    configMap("b", "one", { own: "", app: "x" }, { k: "2" }),
  ]) {
    await world.direct.create(object);
  }
  return world;
}
