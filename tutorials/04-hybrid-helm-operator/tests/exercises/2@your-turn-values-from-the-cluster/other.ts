import { type KubeObject, namespaces } from "@operator-path/client";
import type { Reader } from "@operator-path/controller-runtime";
import { type JsonObject, setValues, specValues } from "@operator-path/helm-operator";

export async function valuesFor(client: Reader, memcached: KubeObject): Promise<JsonObject> {
  const { metadata } = await client.get(namespaces, { name: memcached.metadata?.namespace ?? "" });
  const values = specValues(memcached);
  return metadata?.labels?.team ? setValues(values, `podLabels.team=${metadata.labels.team}`) : values;
}
