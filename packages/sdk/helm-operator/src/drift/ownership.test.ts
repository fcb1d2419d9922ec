import { clusterRoles, configMaps, type KubeObject } from "@operator-path/client";
import { mergeFrom } from "@operator-path/controller-runtime";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ownershipOf, ownershipPatch } from "./ownership.ts";
import { memcacheds, providerOfTests, startDriftCluster, typeOf } from "./testing/drift-bench.ts";

const map = (metadata: string) => `---\n{ apiVersion: v1, kind: ConfigMap, metadata: { ${metadata} } }\n`;

describe.each([await providerOfTests()])("on the %s API server", (provider) => {
  let running: Awaited<ReturnType<typeof startDriftCluster>>;
  beforeAll(async () => {
    running = await startDriftCluster(provider);
  });
  afterAll(async () => running?.stop());

  test("annotates objects that cannot or must not have an owner reference", async () => {
    const bench = await running.bench();
    const elsewhere = await running.cluster.namespace();
    const role = `role-${bench.namespace}`;
    const manifest = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: ${role}, namespace: ${bench.namespace} }
rules: [{ apiGroups: [""], resources: [pods], verbs: [get] }]
${map(`name: far, namespace: ${elsewhere}`)}${map('name: kept, annotations: { "helm.sh/resource-policy": keep }')}${map("name: near")}`;
    const repairs = await bench.repair(manifest);
    expect(repairs.map(({ action }) => action)).toEqual(["created", "created", "created", "created"]);
    const annotations = {
      "operator-sdk/primary-resource": `${bench.namespace}/cache`,
      "operator-sdk/primary-resource-type": "Memcached.cache.example.com",
    };
    const found = await Promise.all([
      bench.client.get(clusterRoles, { name: role }),
      bench.client.get(configMaps, { namespace: elsewhere, name: "far" }),
      bench.client.get(configMaps, { namespace: bench.namespace, name: "kept" }),
    ]);
    for (const { metadata } of found) {
      expect(metadata?.annotations).toMatchObject(annotations);
      expect(metadata?.ownerReferences).toBeUndefined();
    }
    const near = await bench.client.get(configMaps, { namespace: bench.namespace, name: "near" });
    expect(near.metadata?.ownerReferences).toHaveLength(1);
    expect(near.metadata?.annotations).not.toHaveProperty(["operator-sdk/primary-resource"]);

    bench.requests();
    expect(await bench.repair(manifest, undefined, bench.restarted())).toEqual([]);
    expect(bench.writes()).toEqual([]);

    // A kept object is repaired all the same, while its release exists.
    await bench.client.delete({ ...found[2], apiVersion: "v1", kind: "ConfigMap" });
    expect(await bench.repair(manifest)).toMatchObject([{ action: "created", object: { name: "kept" } }]);
  });

  test("removes the owner reference that would delete a kept object, and no other", async () => {
    const bench = await running.bench();
    const { namespace, owner, client } = bench;
    const annotations = { "helm.sh/resource-policy": "keep" };
    const { ownerReferences = [] } = ownershipOf(owner, { namespace, keep: false });
    // An existing owner: the garbage collector removes references to missing ones.
    const type = { apiVersion: "v1", kind: "ConfigMap" };
    const named: KubeObject = { ...type, metadata: { namespace, name: "other" } };
    const { metadata: made } = await client.create(named);
    const other = { ...type, name: "other", uid: made?.uid ?? "" };
    const metadata = { namespace, name: "kept", annotations, ownerReferences: [...ownerReferences, other] };
    const created = await client.create({ apiVersion: "v1", kind: "ConfigMap", metadata });
    expect(created.metadata?.ownerReferences).toHaveLength(2);
    const manifest = map('name: kept, annotations: { "helm.sh/resource-policy": keep }');
    await bench.repair(manifest);
    const kept = await client.get(configMaps, { namespace, name: "kept" });
    expect(kept.metadata?.ownerReferences?.map(({ name }) => name)).toEqual(["other"]);
    expect(kept.metadata?.annotations).toMatchObject({
      "operator-sdk/primary-resource": `${namespace}/cache`,
    });
    bench.requests();
    expect(await bench.repair(manifest)).toEqual([]);
    expect(bench.writes()).toEqual([]);
  });

  test("adopts an object that helm has just created, and writes nothing else", async () => {
    const bench = await running.bench();
    const manifest = map("name: a");
    const helms = {
      ...{ apiVersion: "v1", kind: "ConfigMap" },
      metadata: {
        ...{ namespace: bench.namespace, name: "a" },
        labels: { "app.kubernetes.io/managed-by": "Helm" },
        annotations: {
          "meta.helm.sh/release-name": "cache",
          "meta.helm.sh/release-namespace": bench.namespace,
        },
      },
    };
    await bench.client.apply(helms, { fieldManager: "helm" });
    expect(await bench.repair(manifest)).toMatchObject([
      { action: "adopted", fields: ["metadata.ownerReferences"] },
    ]);
    expect(bench.writes()).toEqual([`PATCH /api/v1/namespaces/${bench.namespace}/configmaps/a`]);
    // Not under helm's name, or helm would remove it again.
    await bench.client.apply(helms, { fieldManager: "helm" });
    expect(await bench.repair(manifest)).toEqual([]);
  });

  test("replaces the reference to an owner that was created again", async () => {
    const bench = await running.bench();
    const old = {
      ...bench.owner,
      metadata: { ...bench.owner.metadata, uid: "1d1b1e6e-0000-4000-8000-000000000000" },
    };
    const { ownerReferences } = ownershipOf(old, { namespace: bench.namespace, keep: false });
    const metadata = { namespace: bench.namespace, name: "a", ownerReferences: [...(ownerReferences ?? [])] };
    await bench.client.create({ apiVersion: "v1", kind: "ConfigMap", metadata });
    await bench.repair(map("name: a"));
    const { metadata: now } = await bench.client.get(configMaps, { namespace: bench.namespace, name: "a" });
    expect(now?.ownerReferences?.map(({ uid }) => uid)).toEqual([bench.owner.metadata?.uid]);
  });

  test("does not touch objects of another controller or release, and reads them once", async () => {
    const bench = await running.bench();
    const metadata = { namespace: bench.namespace };
    const other: KubeObject = { ...typeOf(memcacheds), metadata: { ...metadata, name: "x" } };
    const { uid = "" } = (await bench.client.create(other)).metadata ?? {};
    const reference = { ...typeOf(memcacheds), name: "x", uid, controller: true };
    const annotations = { "meta.helm.sh/release-name": "other" };
    const make = async (more: NonNullable<KubeObject["metadata"]>) =>
      bench.client.create({ apiVersion: "v1", kind: "ConfigMap", metadata: { ...metadata, ...more } });
    await make({ name: "owned", ownerReferences: [reference] });
    await make({ name: "released", annotations });
    const manifest = map("name: owned") + map("name: released");
    const repairs = await bench.repair(manifest);
    expect(repairs).toMatchObject([
      { action: "failed", retry: false, object: { name: "owned" } },
      { action: "failed", retry: false, object: { name: "released" } },
    ]);
    expect(repairs.map(({ error }) => error?.message)).toEqual([
      "its controller is the Memcached x: give it another name in the chart, or remove that owner reference",
      expect.stringContaining("it belongs to the release other of the namespace "),
    ]);
    expect(bench.writes()).toEqual([]);
    expect(await bench.repair(manifest)).toMatchObject([{ action: "failed" }, { action: "failed" }]);
    expect(bench.requests()).toHaveLength(2);

    const released = await bench.client.get(configMaps, { ...metadata, name: "released" });
    const freed = { ...released, metadata: { ...released.metadata, annotations: {} } };
    await bench.client.patch(freed, mergeFrom(released));
    expect(await bench.repair(manifest)).toMatchObject([{ action: "failed" }, { action: "patched" }]);
  });

  test("does not create a deleted object with the patch that adds its owner", async () => {
    const bench = await running.bench();
    const { owner, namespace, client } = bench;
    const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace, name: "a" } };
    const live = await client.create(object);
    await client.delete(live);
    const patch = ownershipPatch(configMaps, live, ownershipOf(owner, { namespace, keep: false }));
    await expect(client.apply(patch, { fieldManager: "x" })).rejects.toMatchObject({ code: 409 });
  });

  test("a cluster-scoped owner owns objects in any namespace", async () => {
    const owner = { apiVersion: "example.com/v1", kind: "Site", metadata: { name: "s", uid: "u" } };
    const reference = { apiVersion: "example.com/v1", kind: "Site", name: "s", uid: "u", controller: true };
    expect(ownershipOf(owner, { namespace: "a", keep: false })).toMatchObject({
      ownerReferences: [reference],
    });
    expect(ownershipOf(owner, { keep: false })).toMatchObject({ ownerReferences: [reference] });
    expect(ownershipOf(owner, { namespace: "a", keep: true })).toEqual({
      annotations: {
        "operator-sdk/primary-resource": "/s",
        "operator-sdk/primary-resource-type": "Site.example.com",
      },
      notOwnedBy: "u",
    });
    expect(() => ownershipOf({ ...owner, metadata: {} }, { keep: false })).toThrow(
      "as the server has stored it",
    );
  });
});
