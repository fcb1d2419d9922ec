import {
  type ConfigMap,
  configMaps,
  type Deployment,
  defineResource,
  deployments,
  isAlreadyExists,
  isConflict,
  isInvalid,
  isNotFound,
  type JsonPatchOperation,
  type KubeObject,
  nodes,
  type Pod,
  pods,
  type Scale,
} from "@operator-path/client";
import { createFakeClock } from "@operator-path/client/testing";
import { expect, test } from "vitest";
import { metadataOnly } from "../../client/metadata-only.ts";
import { mergeFrom, rawPatch } from "../../client/patch.ts";
import { createScheme } from "../../client/scheme.ts";
import { addFinalizer, removeFinalizer } from "../../controllerutil/finalizers.ts";
import { createFakeClient } from "./fake-client.ts";

interface Memcached extends KubeObject {
  spec?: { size: number };
  status?: { nodes: string[] };
}

const memcacheds = defineResource<Memcached>({
  ...{ group: "cache.example.com", version: "v1alpha1", kind: "Memcached", plural: "memcacheds" },
  namespaced: true,
});

const key = { namespace: "ns", name: "a" };
const configMap = (more: Partial<ConfigMap> = {}): ConfigMap => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  ...more,
  metadata: { ...key, ...more.metadata },
});
const memcached = (more: Partial<Memcached> = {}): Memcached => ({
  apiVersion: "cache.example.com/v1alpha1",
  kind: "Memcached",
  metadata: { ...key },
  spec: { size: 1 },
  ...more,
});

const createMemcachedClient = () =>
  createFakeClient({ scheme: createScheme(memcacheds), statusSubresources: [memcacheds] });

test("stores created objects with a server's metadata, without changing the argument", async () => {
  const clock = createFakeClock(Date.UTC(2026, 0, 1));
  const client = createFakeClient({ clock, random: () => 0.5 });
  const given = configMap({ data: { k: "v" } });
  const created = await client.create(given);
  expect(created).toMatchObject({
    data: { k: "v" },
    metadata: { creationTimestamp: "2026-01-01T00:00:00Z" },
  });
  expect(created.metadata?.uid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(given.metadata).toEqual(key);
  expect(await client.get(configMaps, key)).toEqual(created);
  await expect(client.create(given)).rejects.toSatisfy(isAlreadyExists);
  await expect(client.create(created)).rejects.toThrow(
    "resourceVersion should not be set on objects to be created",
  );
  await expect(client.get(configMaps, { ...key, name: "b" })).rejects.toThrow('configmaps "b" not found');
  await expect(client.create({ ...given, metadata: { name: "a" } })).rejects.toThrow(
    'a ConfigMap is namespaced: set metadata.namespace of "a"',
  );
});

test("generates names", async () => {
  const client = createFakeClient();
  const make = () => client.create(configMap({ metadata: { name: "", generateName: "web-" } }));
  const [first, second] = [await make(), await make()];
  expect(first.metadata?.name).toMatch(/^web-[a-z0-9]{5}$/);
  expect(second.metadata?.name).not.toBe(first.metadata?.name);
  await expect(client.create(configMap({ metadata: { name: "" } }))).rejects.toThrow(
    "name or generateName is required",
  );
});

test("rejects a stale update with a conflict, and creates no version for an unchanged object", async () => {
  const client = createFakeClient({ objects: [configMap()] });
  const read = await client.get(configMaps, key);
  const updated = await client.update({ ...read, data: { k: "1" } });
  expect(Number(updated.metadata?.resourceVersion)).toBeGreaterThan(Number(read.metadata?.resourceVersion));
  const stale = client.update({ ...read, data: { k: "2" } });
  await expect(stale).rejects.toSatisfy(isConflict);
  await expect(stale).rejects.toThrow(
    'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
  );
  expect(await client.update(updated)).toEqual(updated);
  // A patch applies to the current object, unless it has an optimistic lock.
  const wanted = { ...read, data: { more: "1" } };
  expect((await client.patch(wanted, mergeFrom(read))).data).toEqual({ k: "1", more: "1" });
  await expect(client.patch(wanted, mergeFrom(read, { optimisticLock: true }))).rejects.toSatisfy(isConflict);
  const remade = { ...read, metadata: { ...key, uid: "another" } };
  await expect(client.update(remade)).rejects.toThrow("Precondition failed: UID in precondition: another");
});

test("counts the generation of custom resources, including the status if it is no subresource", async () => {
  const client = createFakeClient({ scheme: createScheme(memcacheds) });
  const one = await client.create(memcached({ status: { nodes: [] } }));
  const two = await client.update({ ...one, spec: { size: 2 } });
  const three = await client.update({ ...two, status: { nodes: ["a"] } });
  expect([one, two, three].map(({ metadata }) => metadata?.generation)).toEqual([1, 2, 3]);
  expect(three.status).toEqual({ nodes: ["a"] });
  await expect(client.status.update(three)).rejects.toThrow(
    "call createFakeClient({ statusSubresources: [memcacheds] }) if the CRD has one",
  );
});

test("only a deletion sets the deletionTimestamp", async () => {
  const client = createFakeClient({ objects: [configMap()] });
  const deletionTimestamp = "2026-01-01T00:00:00Z";
  const why =
    'metadata.deletionTimestamp: Invalid value: "2026-01-01T00:00:00Z": field is immutable (client.delete sets it)';
  await expect(client.update(configMap({ metadata: { deletionTimestamp } }))).rejects.toThrow(why);
  await expect(
    client.patch(configMap(), rawPatch("merge", { metadata: { deletionTimestamp } })),
  ).rejects.toThrow(why);
});

test("an update creates a missing object of the kinds that allow it", async () => {
  const client = createFakeClient({ scheme: createScheme(memcacheds) });
  const role = { apiVersion: "rbac.authorization.k8s.io/v1", kind: "Role", metadata: key, rules: [] };
  const made = await client.update(role);
  expect(made.metadata).toMatchObject({ name: "a", uid: expect.any(String) });
  await client.delete(made);
  await expect(client.update(made)).rejects.toSatisfy(isConflict);
  await expect(client.update(configMap())).rejects.toSatisfy(isNotFound);
});

test("requires a resourceVersion for updates of custom resources", async () => {
  const client = createMemcachedClient();
  await client.create(memcached());
  await expect(client.update(memcached())).rejects.toThrow(
    'Memcached.cache.example.com "a" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
  );
});

test("separates the status in every kind of write, and counts only the rest in the generation", async () => {
  const client = createMemcachedClient();
  const created = await client.create(memcached({ status: { nodes: ["x"] } }));
  expect(created.status).toBeUndefined();
  expect(created.metadata?.generation).toBe(1);
  const both = { ...created, spec: { size: 2 }, status: { nodes: ["a"] } };
  const main = await client.update(both);
  expect([main.spec, main.status, main.metadata?.generation]).toEqual([{ size: 2 }, undefined, 2]);
  const withStatus = await client.status.update({ ...main, spec: { size: 3 }, status: { nodes: ["a"] } });
  expect([withStatus.spec, withStatus.status, withStatus.metadata?.generation]).toEqual([
    { size: 2 },
    { nodes: ["a"] },
    2,
  ]);
  const patched = await client.status.patch(
    withStatus,
    rawPatch("merge", { spec: { size: 9 }, status: { nodes: [] } }),
  );
  expect([patched.spec, patched.status]).toEqual([{ size: 2 }, { nodes: [] }]);
  const labelled = await client.patch(
    patched,
    rawPatch("merge", { metadata: { labels: { a: "b" } }, status: null }),
  );
  expect([labelled.status, labelled.metadata?.generation]).toEqual([{ nodes: [] }, 2]);
  const plain = createFakeClient({ objects: [configMap()] });
  await expect(plain.status.update(configMap())).rejects.toSatisfy(isNotFound);
});

test("keeps a deleted object until its last finalizer is removed, and accepts no new ones", async () => {
  const client = createFakeClient({ objects: [configMap({ metadata: { finalizers: ["example.com/a"] } })] });
  await client.delete(configMap());
  const going = await client.get(configMaps, key);
  expect(going.metadata?.deletionTimestamp).toBeDefined();
  await client.delete(configMap());
  expect(await client.get(configMaps, key)).toEqual(going);
  await expect(client.update(addFinalizer(going, "example.com/b"))).rejects.toThrow(
    'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"example.com/b"}',
  );
  await client.update({ ...going, metadata: { ...going.metadata, deletionTimestamp: undefined } as never });
  expect((await client.get(configMaps, key)).metadata?.deletionTimestamp).toBeDefined();
  await client.update(removeFinalizer(going, "example.com/a"));
  await expect(client.get(configMaps, key)).rejects.toSatisfy(isNotFound);
  await expect(client.delete(configMap())).rejects.toSatisfy(isNotFound);
  expect(() =>
    createFakeClient({ objects: [configMap({ metadata: { deletionTimestamp: "2026-01-01T00:00:00Z" } })] }),
  ).toThrow("refusing to create obj a with metadata.deletionTimestamp but no finalizers");
});

test("deletes with preconditions, and by selection", async () => {
  const named = (name: string, namespace: string, app: string) =>
    configMap({ metadata: { name, namespace, labels: { app } } });
  const objects = [
    named("a", "ns", "x"),
    named("b", "ns", "x"),
    named("c", "ns", "y"),
    named("a", "other", "x"),
  ];
  const client = createFakeClient({ objects });
  const { metadata } = await client.get(configMaps, key);
  const withUid = client.delete(configMap(), { preconditions: { uid: "another" } });
  await expect(withUid).rejects.toSatisfy(isConflict);
  await expect(client.delete(configMap(), { preconditions: { resourceVersion: "1" } })).rejects.toThrow(
    "the ResourceVersion in the precondition (1) does not match",
  );
  await client.delete(configMap(), { preconditions: { uid: metadata?.uid as string } });
  await client.deleteAllOf(configMaps, { namespace: "ns", labels: { app: "x" } });
  const names = (await client.list(configMaps)).map(
    (object) => `${object.metadata?.namespace}/${object.metadata?.name}`,
  );
  expect(names).toEqual(["ns/c", "other/a"]);
  await expect(client.deleteAllOf(configMaps)).rejects.toThrow(
    "the API deletes configmaps in one namespace at a time",
  );
});

test("lists by namespace, labels, index and limit, or only metadata, and freezes objects", async () => {
  const pod = (name: string, node: string, app: string): Pod => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { namespace: name < "c" ? "x" : "y", name, labels: { app } },
    spec: { nodeName: node, containers: [] },
  });
  const client = createFakeClient({
    objects: [pod("a", "n1", "web"), pod("b", "n2", "web"), pod("c", "n1", "db"), pod("d", "n1", "web")],
    indexes: [
      { resource: pods, field: "spec.nodeName", index: (object) => [(object as Pod).spec?.nodeName ?? ""] },
    ],
  });
  const names = async (options: Parameters<typeof client.list>[1]) =>
    (await client.list(pods, options)).map(({ metadata }) => metadata?.name).join("");
  expect(await names({})).toBe("abcd");
  expect(await names({ namespace: "x" })).toBe("ab");
  expect(await names({ labels: { app: "web" }, labelSelector: "app in (web,db)" })).toBe("abd");
  expect(await names({ fields: { "spec.nodeName": "n1" } })).toBe("acd");
  expect(await names({ fields: { "spec.nodeName": "n1", "metadata.namespace": "y" }, limit: 1 })).toBe("c");
  await expect(names({ fields: { "status.phase": "Running" } })).rejects.toThrow(
    'the fake client has no index "status.phase" of pods',
  );
  const [metadata] = await client.list(metadataOnly(pods), { limit: 1 });
  expect(Object.keys(metadata ?? {})).toEqual(["apiVersion", "kind", "metadata"]);
  const read = await client.get(pods, { namespace: "x", name: "a" });
  expect(() => Object.assign(read.metadata as object, { labels: {} })).toThrow(TypeError);
  expect(await client.list(nodes)).toEqual([]);
});

test("applies JSON patches", async () => {
  const client = createFakeClient({ objects: [configMap({ data: { a: "1", "b/c": "2" } })] });
  const patch = (operations: JsonPatchOperation[]) => client.patch(configMap(), rawPatch("json", operations));
  const patched = await patch([
    { op: "test", path: "/data/a", value: "1" },
    { op: "move", from: "/data/b~1c", path: "/data/d" },
    { op: "copy", from: "/data/a", path: "/data/e" },
    { op: "replace", path: "/data/a", value: "3" },
    { op: "add", path: "/metadata/finalizers", value: ["z"] },
    { op: "add", path: "/metadata/finalizers/0", value: "y" },
    { op: "add", path: "/metadata/finalizers/-", value: "x" },
    { op: "remove", path: "/metadata/finalizers/1" },
  ]);
  expect(patched).toMatchObject({ data: { a: "3", d: "2", e: "1" }, metadata: { finalizers: ["y", "x"] } });
  const failing = patch([{ op: "test", path: "/data/a", value: "1" }]);
  await expect(failing).rejects.toSatisfy(isInvalid);
  await expect(failing).rejects.toThrow("testing value /data/a failed");
  await expect(patch([{ op: "remove", path: "/data/none" }])).rejects.toThrow(
    'remove operation does not apply: doc is missing path: "/data/none"',
  );
});

test("server-side apply tracks managers, removes dropped fields and protects others' fields", async () => {
  const client = createFakeClient({ objects: [configMap({ data: { seeded: "1" } })] });
  const apply = (fieldManager: string, data: Record<string, string>, options = {}) =>
    client.apply(configMap({ data }), { fieldManager, ...options });
  expect((await apply("one", { a: "1", both: "1" })).data).toEqual({ seeded: "1", a: "1", both: "1" });
  await apply("two", { both: "1", b: "1" });
  const taken = apply("two", { a: "2", b: "1" });
  await expect(taken).rejects.toSatisfy(isConflict);
  await expect(taken).rejects.toThrow('Apply failed with 1 conflict: conflict with "one": .data.a');
  await expect(apply("one", { seeded: "2" })).rejects.toThrow(
    'conflict with "before-first-apply" using v1: .data.seeded',
  );
  expect((await apply("two", { a: "2" }, { force: true })).data).toEqual({ seeded: "1", a: "2", both: "1" });
  // It no longer owns this field and keeps it. It removes the field that it alone owned.
  const { resourceVersion } = (await client.get(configMaps, key)).metadata ?? {};
  expect((await apply("one", {}, { dryRun: true })).data).toEqual({ seeded: "1", a: "2" });
  expect((await client.get(configMaps, key)).metadata?.resourceVersion).toBe(resourceVersion);
  expect((await apply("one", {})).data).toEqual({ seeded: "1", a: "2" });
  await client.patch(configMap(), rawPatch("merge", { data: { a: "3" } }), { fieldManager: "kubectl" });
  await expect(apply("two", { a: "2" })).rejects.toThrow('conflict with "kubectl" using v1: .data.a');
  await expect(client.apply(configMap(), {})).rejects.toThrow("server-side apply needs a field manager");
  const made = await client.apply(configMap({ metadata: { name: "b", resourceVersion: "7" } }), {
    fieldManager: "one",
  });
  expect(made.metadata).toMatchObject({ name: "b", uid: expect.any(String) });
});

test("applies the status separately", async () => {
  const client = createMemcachedClient();
  await client.apply(memcached({ status: { nodes: ["x"] } }), { fieldManager: "one" });
  const applied = await client.status.apply(memcached({ spec: { size: 7 }, status: { nodes: ["a"] } }), {
    fieldManager: "one",
  });
  expect([applied.spec, applied.status]).toEqual([{ size: 1 }, { nodes: ["a"] }]);
  const { status: _, ...without } = memcached();
  expect((await client.status.apply<Memcached>(without, { fieldManager: "one" })).status).toBeUndefined();
  await expect(
    client.status.apply(memcached({ metadata: { ...key, name: "none" } }), { fieldManager: "one" }),
  ).rejects.toSatisfy(isNotFound);
});

test("answers dry runs without storing them", async () => {
  const client = createFakeClient({ objects: [configMap()] });
  const dryRun = { dryRun: true };
  const before = await client.get(configMaps, key);
  const updated = await client.update(configMap({ data: { k: "1" } }), dryRun);
  expect(updated).toEqual({ ...before, data: { k: "1" } });
  const created = await client.create(configMap({ metadata: { name: "b" } }), dryRun);
  expect(created.metadata).toEqual({
    ...{ namespace: "ns", name: "b", uid: expect.any(String), creationTimestamp: expect.any(String) },
  });
  await client.delete(configMap(), dryRun);
  expect((await client.list(configMaps)).map(({ data }) => data)).toEqual([undefined]);
});

test("supports scale, eviction and token, and rejects other subresources", async () => {
  const web: Deployment = {
    ...{ apiVersion: "apps/v1", kind: "Deployment", metadata: { namespace: "ns", name: "web" } },
    spec: { replicas: 2, selector: { matchLabels: { app: "web" } }, template: {} },
  };
  const pod: Pod = { apiVersion: "v1", kind: "Pod", metadata: key, spec: { containers: [] } };
  const account = { apiVersion: "v1", kind: "ServiceAccount", metadata: key };
  const client = createFakeClient({ objects: [web, pod, account] });
  const scale = await client.subResource("scale").get<Scale>(web);
  expect([scale.spec, scale.status]).toEqual([{ replicas: 2 }, { replicas: 0, selector: "app=web" }]);
  await client.subResource("scale").update(web, { body: { ...scale, spec: { replicas: 5 } } as Scale });
  expect((await client.get(deployments, { namespace: "ns", name: "web" })).spec?.replicas).toBe(5);
  await expect(
    client.subResource("scale").update(web, { body: { ...scale, spec: { replicas: 6 } } as Scale }),
  ).rejects.toSatisfy(isConflict);
  await client
    .subResource("eviction")
    .create(pod, { apiVersion: "policy/v1", kind: "Eviction", metadata: key });
  await expect(client.get(pods, key)).rejects.toSatisfy(isNotFound);
  const token = await client.subResource("token").create(account, { kind: "TokenRequest" });
  expect(token).toMatchObject({ status: { token: "fake-token" } });
  await expect(client.subResource("proxy").get(web)).rejects.toThrow(
    'the fake client does not support get of the subresource "proxy"',
  );
});

test("adds ephemeral containers to a Pod and changes nothing else", async () => {
  const pod: Pod = {
    ...{ apiVersion: "v1", kind: "Pod", metadata: { ...key, labels: { app: "web" } } },
    spec: { containers: [{ name: "main", image: "web:1" }] },
  };
  const client = createFakeClient({ objects: [pod] });
  const tools = client.subResource("ephemeralcontainers");
  const withTool = (image: string, name = "tool"): Pod => ({
    ...pod,
    metadata: { ...pod.metadata, labels: { app: "another" } },
    spec: { containers: [], ephemeralContainers: [{ name, image }] },
  });
  await tools.patch(withTool("busybox"), mergeFrom(pod));
  const stored = await client.get(pods, key);
  expect(stored.metadata?.labels).toEqual({ app: "web" });
  expect(stored.spec).toEqual({
    containers: [{ name: "main", image: "web:1" }],
    ephemeralContainers: [{ name: "tool", image: "busybox" }],
  });
  const refused = (what: string) => ({
    code: 422,
    message: expect.stringContaining(`existing ephemeral containers "tool" may not be ${what}`),
  });
  await expect(tools.update(withTool("debian"))).rejects.toMatchObject(refused("changed"));
  await expect(tools.update(withTool("busybox", "other"))).rejects.toMatchObject(refused("removed"));
  const stale = { ...pod, metadata: { ...pod.metadata, resourceVersion: "1" } };
  const locked = mergeFrom(stale, { optimisticLock: true });
  await expect(tools.patch(withTool("debian"), locked)).rejects.toSatisfy(isConflict);
});

test("interceptors replace methods and may call the original client", async () => {
  const seen: string[] = [];
  let failures = 1;
  const client = createFakeClient({
    interceptors: {
      get: async (inner, resource, at, options) => {
        seen.push(`get ${resource.kind} ${at.name}`);
        return inner.get(resource, at, options);
      },
      create: async (inner, object, options) => {
        if (failures-- > 0) throw new Error("the server is on fire");
        return inner.create(object, options);
      },
      subResourceUpdate: async (_, name, object) => {
        seen.push(`update ${name} of ${object.metadata?.name}`);
        return object;
      },
    },
  });
  await expect(client.create(configMap())).rejects.toThrow("the server is on fire");
  await client.create(configMap());
  expect((await client.get(configMaps, key)).metadata?.name).toBe("a");
  await client.status.update(configMap());
  await client.delete(configMap());
  expect(seen).toEqual(["get ConfigMap a", "update status of a"]);
});

test("uses the client's field owner, and stores nothing with its dryRun", async () => {
  const scheme = createScheme(memcacheds);
  const options = { fieldOwner: "operator", fieldValidation: "Strict" } as const;
  const client = createFakeClient({ ...options, scheme, statusSubresources: [memcacheds] });
  await client.apply(configMap({ data: { k: "v" } }));
  await client.create(memcached());
  await client.status.apply(memcached({ spec: undefined, status: { nodes: ["a"] } }));
  for (const refused of [
    client.apply(configMap({ data: { k: "other" } }), { fieldManager: "other" }),
    client.apply(memcached({ spec: { size: 2 } }), { fieldManager: "other" }),
    client.status.apply(memcached({ spec: undefined, status: { nodes: [] } }), { fieldManager: "other" }),
  ])
    await expect(refused).rejects.toThrow(/conflict with "operator"/);

  const dry = createFakeClient({ dryRun: true, objects: [configMap()] });
  await dry.update(configMap({ data: { k: "v" } }), { dryRun: false });
  await dry.delete(configMap());
  await dry.deleteAllOf(configMaps, { namespace: "ns" });
  expect(await dry.get(configMaps, key)).not.toHaveProperty("data");
});
