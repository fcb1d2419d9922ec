import { type KubeObject, namespaces } from "@operator-path/client";
import type { Reader } from "@operator-path/controller-runtime";
import { type JsonObject, specValues } from "@operator-path/helm-operator";

// Loses the other labels of the spec.
export async function valuesFor(client: Reader, memcached: KubeObject): Promise<JsonObject> {
  const namespace = await client.get(namespaces, { name: memcached.metadata?.namespace ?? "" });
  const team = namespace.metadata?.labels?.team;
  return team ? { ...specValues(memcached), podLabels: { team } } : specValues(memcached);
}
