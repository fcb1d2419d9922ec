import { type KubeObject, namespaces } from "@operator-path/client";
import type { Reader } from "@operator-path/controller-runtime";
import { type JsonObject, specValues } from "@operator-path/helm-operator";

/** Returns the values of a Memcached's release: its spec, and its namespace's team as a label of the Pods. */
export async function valuesFor(client: Reader, memcached: KubeObject): Promise<JsonObject> {
  const values = specValues(memcached);
  const namespace = await client.get(namespaces, { name: memcached.metadata?.namespace ?? "" });
  const team = namespace.metadata?.labels?.team;
  if (team === undefined) return values;
  return { ...values, podLabels: { ...(values.podLabels as JsonObject | undefined), team } };
}
