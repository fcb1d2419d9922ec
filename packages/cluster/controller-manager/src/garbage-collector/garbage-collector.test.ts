import {
  configMaps,
  customResourceDefinitions,
  defineResource,
  deployments,
  isNotFound,
  type KubeObject,
  namespaces,
  type OwnerReference,
  pods,
  type Resource,
  replicaSets,
  type Transport,
} from "@operator-path/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { delayEvents, startTestCluster, type TestCluster, within } from "../testing/cluster.ts";
import type { FakeKubelet } from "../testing/fake-kubelet.ts";

let cluster: TestCluster;
let kubelet: FakeKubelet;
let holdTermination = false;
let heldGadgets: PromiseWithResolvers<void> | undefined;
/** How often the controllers have requested the API server's resources. */
let discoveries = 0;

beforeAll(async () => {
  cluster = await startTestCluster();
  await cluster.startManager({
    interfere: (transport) =>
      delayEvents(countDiscoveries(transport), "/apis/gone.test/v1/gadgets", () => heldGadgets?.promise),
  });
  kubelet = await cluster.startKubelet({ terminates: () => !holdTermination });
});
afterAll(() => cluster.stop());

function countDiscoveries(transport: Transport): Transport {
  return {
    ...transport,
    request(request) {
      if (request.path === "/apis") discoveries++;
      return transport.request(request);
    },
  };
}

/** Creates a namespace, and returns short helpers for it. */
async function inNamespace() {
  const namespace = await cluster.namespace();
  const of = <T extends KubeObject>(resource: Resource<T>) =>
    cluster.client.resource(resource).namespace(namespace);
  async function namesOf<T extends KubeObject>(resource: Resource<T>): Promise<string[]> {
    const { items } = await of(resource).list();
    return items.map(({ metadata }) => metadata?.name ?? "").filter((name) => name !== "kube-root-ca.crt");
  }
  return {
    namespace,
    of,
    configMap: (name: string, owners: object[] = [], metadata: object = {}) =>
      of(configMaps).create({ metadata: { name, namespace, ownerReferences: owners as never, ...metadata } }),
    names: () => namesOf(configMaps),
    namesOf,
  };
}

function refersTo(owner: KubeObject, changes: object = {}): OwnerReference {
  const { name = "", uid = "" } = owner.metadata ?? {};
  return { apiVersion: "v1", kind: "ConfigMap", name, uid, ...changes };
}

test("deletes an object's dependents, and their dependents", async () => {
  const { configMap, names, of } = await inNamespace();
  const grandparent = await configMap("grandparent");
  const parent = await configMap("parent", [refersTo(grandparent)]);
  await configMap("child", [refersTo(parent)]);
  await configMap("bystander");
  await of(configMaps).delete("grandparent");
  await expect.poll(names, within).toEqual(["bystander"]);
});

test("an object with two owners outlives the first, and loses that reference", async () => {
  const { configMap, names, of } = await inNamespace();
  const [first, second] = [await configMap("first"), await configMap("second")];
  await configMap("shared", [refersTo(first), refersTo(second)]);
  await of(configMaps).delete("first");
  await expect
    .poll(async () => (await of(configMaps).get("shared")).metadata?.ownerReferences, within)
    .toEqual([refersTo(second)]);
  await of(configMaps).delete("second");
  await expect.poll(names, within).toEqual([]);
});

test("an object of the same name with another uid, or in another namespace, is not the owner", async () => {
  const { configMap, names } = await inNamespace();
  const elsewhere = await inNamespace();
  const foreign = await elsewhere.configMap("foreign");
  const home = await configMap("home");
  await configMap("wrong-uid", [refersTo(home, { uid: "11111111-1111-1111-1111-111111111111" })]);
  await configMap("wrong-namespace", [refersTo(foreign)]);
  await configMap("right", [refersTo(home)]);
  await expect.poll(names, within).toEqual(["home", "right"]);
});

test("an owner of a kind that is not served may exist, so its dependents stay", async () => {
  const { configMap, names } = await inNamespace();
  const home = await configMap("home");
  await configMap("unknown-kind", [refersTo(home, { apiVersion: "unserved.test/v1", kind: "Thing" })]);
  // Checked after the dependent of the unknown owner. Once this one is deleted, that one was checked too.
  await configMap("wrong-uid", [refersTo(home, { uid: "11111111-1111-1111-1111-111111111111" })]);
  await expect.poll(names, within).toEqual(["home", "unknown-kind"]);
});

test("foreground: the owner stays until the last blocking dependent is deleted", async () => {
  holdTermination = true;
  const { namespace, of, namesOf } = await inNamespace();
  const labels = { app: "web" };
  await of(deployments).create({
    metadata: { name: "web", namespace },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: "web", image: "web" }], terminationGracePeriodSeconds: 30 },
      },
    },
  });
  await expect.poll(async () => (await of(deployments).get("web")).status?.readyReplicas, within).toBe(2);
  await of(deployments).delete("web", { propagationPolicy: "Foreground" });
  await expect
    .poll(
      async () => (await of(pods).list()).items.filter(({ metadata }) => metadata?.deletionTimestamp).length,
      within,
    )
    .toBe(2);
  expect(await namesOf(deployments)).toEqual(["web"]);
  expect((await of(deployments).get("web")).metadata?.finalizers).toEqual(["foregroundDeletion"]);
  expect(await namesOf(replicaSets)).toHaveLength(1);
  holdTermination = false;
  await kubelet.resync();
  await expect.poll(() => namesOf(deployments), within).toEqual([]);
  expect(await namesOf(replicaSets)).toEqual([]);
  expect(await namesOf(pods)).toEqual([]);
});

test("foreground: two objects that own each other do not wait for each other forever", async () => {
  const { configMap, names, of } = await inNamespace();
  const one = await configMap("one");
  const two = await configMap("two", [refersTo(one, { blockOwnerDeletion: true })]);
  const owners = [refersTo(two, { blockOwnerDeletion: true })];
  await of(configMaps).patch("one", { metadata: { ownerReferences: owners } }, { type: "merge" });
  await of(configMaps).delete("one", { propagationPolicy: "Foreground" });
  await expect.poll(names, within).toEqual([]);
});

test("orphan: the dependents stay, and lose the reference", async () => {
  const { configMap, names, of } = await inNamespace();
  const owner = await configMap("owner");
  await configMap("a", [refersTo(owner)]);
  await configMap("b", [refersTo(owner)]);
  await of(configMaps).delete("owner", { propagationPolicy: "Orphan" });
  await expect.poll(names, within).toEqual(["a", "b"]);
  for (const name of ["a", "b"]) {
    expect((await of(configMaps).get(name)).metadata?.ownerReferences ?? []).toEqual([]);
  }
});

test("waits for a foreign finalizer", async () => {
  const { configMap, names, of } = await inNamespace();
  const owner = await configMap("owner");
  await configMap("held", [refersTo(owner)], { finalizers: ["example.com/hold"] });
  await of(configMaps).delete("owner");
  await expect
    .poll(async () => (await of(configMaps).get("held")).metadata?.deletionTimestamp, within)
    .toBeDefined();
  await of(configMaps).patch("held", { metadata: { finalizers: null } }, { type: "merge" });
  await expect.poll(names, within).toEqual([]);
});

/** Creates a CRD, and resolves with its resource when the API server serves it. */
async function define(group: string, plural: string, kind: string): Promise<Resource<KubeObject>> {
  const version = {
    name: "v1",
    served: true,
    storage: true,
    schema: { openAPIV3Schema: { type: "object" } },
  };
  await cluster.client.resource(customResourceDefinitions).create({
    metadata: { name: `${plural}.${group}` },
    spec: { group, scope: "Namespaced", names: { plural, kind }, versions: [version] },
  });
  const resource = defineResource<KubeObject>({ group, version: "v1", plural, kind, namespaced: true });
  const get = () => cluster.client.resource(resource).namespace("default").get("probe");
  const message = `${plural}.${group} "probe" not found`;
  await expect.poll(() => get().catch(({ message }) => message), within).toContain(message);
  return resource;
}

test("custom resources can own and be owned as soon as their CRD exists", async () => {
  const { configMap, namespace, names, namesOf, of } = await inNamespace();
  const group = `${namespace}.test`;
  const widgets = await define(group, "widgets", "Widget");
  const create = (name: string, ownerReferences: object[] = []) =>
    of(widgets).create({ metadata: { name, namespace, ownerReferences: ownerReferences as never } });
  await create("probe");
  const kind = { apiVersion: `${group}/v1`, kind: "Widget" };
  const owner = await create("owner");
  await create("part", [refersTo(owner, kind)]);
  await configMap("settings", [refersTo(owner, kind)]);
  await of(widgets).delete("owner");
  await expect.poll(() => namesOf(widgets), within).toEqual(["probe"]);
  await expect.poll(names, within).toEqual([]);
});

test("deletes dependents whose owner was deleted with its CRD, though its deletion is reported last", async () => {
  const { configMap, namespace, names, of } = await inNamespace();
  const definitions = cluster.client.resource(customResourceDefinitions);
  const gadgets = await define("gone.test", "gadgets", "Gadget");
  await define("other.test", "others", "Other");
  const kind = { apiVersion: "gone.test/v1", kind: "Gadget" };
  const create = (name: string, ownerReferences: OwnerReference[] = []) =>
    of(gadgets).create({ metadata: { name, namespace, ownerReferences } });
  // The collector has handled the deletion of a gadget, so it watches gadgets.
  await configMap("early", [refersTo(await create("early"), kind)]);
  await of(gadgets).delete("early");
  await expect.poll(names, within).toEqual([]);

  const root = await configMap("root");
  await configMap("first", [refersTo(await create("first", [refersTo(root)]), kind)]);
  await configMap("last", [refersTo(await create("last"), kind)]);
  heldGadgets = Promise.withResolvers();
  await definitions.delete("gadgets.gone.test");
  await expect
    .poll(
      () =>
        of(gadgets)
          .get("last")
          .then(() => false, isNotFound),
      within,
    )
    .toBe(true);
  // The collector asks for resources one time after another. When it asks again, it has acted on the answer
  // before.
  const acted = discoveries + 2;
  async function discover(): Promise<number> {
    const annotations = { asked: String(discoveries) };
    await definitions.patch("others.other.test", { metadata: { annotations } }, { type: "merge" });
    return discoveries;
  }
  await expect.poll(discover, within).toBeGreaterThanOrEqual(acted);
  // The collector reads the first gadget, does not find it, and drops it before its deletion is reported.
  await of(configMaps).delete("root");
  const line = `v1 ConfigMap ${namespace}/first: no matches for kind "Gadget" in version "gone.test/v1"`;
  await expect.poll(() => cluster.logged.some((logged) => logged.includes(line)), within).toBe(true);
  expect(await names()).toEqual(["first", "last"]);

  heldGadgets.resolve();
  await expect.poll(names, within).toEqual([]);
});

test("deletes namespaced dependents of a cluster-scoped owner", async () => {
  const { configMap, names } = await inNamespace();
  const other = await cluster.namespace();
  const owner = await cluster.client.resource(namespaces).get(other);
  await configMap("tied", [refersTo(owner, { kind: "Namespace" })]);
  await cluster.client.resource(namespaces).delete(other);
  await expect.poll(names, within).toEqual([]);
});
