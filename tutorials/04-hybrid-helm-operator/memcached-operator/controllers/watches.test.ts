import { type JsonObject, loadWatches, overrideValues } from "@operator-path/helm-operator";
import { expect, test } from "vitest";

/** Returns values as the operator gives them to the chart of Memcacheds. */
async function valuesOf(spec: JsonObject): Promise<JsonObject> {
  const watches = await loadWatches("watches.yaml");
  const watch = watches.find(({ kind, version }) => kind === "Memcached" && version === "v1alpha1");
  return overrideValues(spec, watch?.overrideValues ?? {});
}

test("no Memcached gets a load balancer, or a token by default, whatever its spec says", async () => {
  const spec = {
    service: { type: "LoadBalancer", port: 11300 },
    serviceAccount: { automount: true, create: false, name: "cache" },
  };
  const always = { service: { type: "ClusterIP" }, serviceAccount: { automount: false, create: true } };
  expect(await valuesOf({})).toEqual(always);
  expect(await valuesOf(spec)).toEqual({
    service: { type: "ClusterIP", port: 11300 },
    serviceAccount: { automount: false, create: true, name: "cache" },
  });
});
