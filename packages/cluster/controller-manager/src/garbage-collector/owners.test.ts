import { configMaps, createClient, KubeConfig, type OwnerReference } from "@operator-path/client";
import { expect, test } from "vitest";
import { createOwnerLookup } from "./garbage-collector.ts";
import { createOwnershipGraph } from "./graph.ts";

const reference: OwnerReference = {
  ...{ apiVersion: "cache.example.com/v1alpha1", kind: "Memcached", name: "sample", uid: "uid-1" },
};
const dependentIn = (namespace: string) => {
  const metadata = { name: "owned", namespace, uid: "uid-2", ownerReferences: [reference] };
  return createOwnershipGraph().set(configMaps, { metadata }).node;
};
const owner = { ...dependentIn("default"), uid: "uid-1", name: "sample", owners: [] };

function start() {
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromClusterAndUser({ name: "none", server: "https://127.0.0.1:1" }, { name: "unused" });
  const client = createClient(kubeConfig);
  // The CRD is deleted, so no resource has the kind.
  return createOwnerLookup({ client, graph: createOwnershipGraph(), resourceFor: () => undefined });
}

test("an owner whose deletion was seen is absent, even if its kind is not served any more", async () => {
  const lookup = start();
  lookup.gone(owner);
  const owners = await lookup.classify(dependentIn("default"), [reference]);
  expect(owners).toMatchObject({ absent: [reference], solid: [], waiting: [] });
});

test("throws for an owner of an unknown kind whose deletion was not seen", async () => {
  const lookup = start();
  await expect(lookup.classify(dependentIn("default"), [reference])).rejects.toThrow(
    /no matches for kind "Memcached"/,
  );
  lookup.gone(owner);
  await expect(lookup.classify(dependentIn("elsewhere"), [reference])).rejects.toThrow(/no matches for kind/);
});

test("remembers the 500 owners that were used last", async () => {
  const lookup = start();
  const referenceTo = (uid: string) => ({ ...reference, uid });
  const classify = (uid: string) => lookup.classify(dependentIn("default"), [referenceTo(uid)]);
  for (let count = 1; count <= 500; count++) lookup.gone({ uid: `owner-${count}`, namespace: "default" });
  await expect(classify("owner-1")).resolves.toMatchObject({ absent: [referenceTo("owner-1")] });
  lookup.gone({ uid: "owner-501", namespace: "default" });
  for (const uid of ["owner-1", "owner-3", "owner-501"]) {
    await expect(classify(uid)).resolves.toMatchObject({ absent: [referenceTo(uid)] });
  }
  await expect(classify("owner-2")).rejects.toThrow(/no matches for kind/);
});
