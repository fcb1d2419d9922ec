import {
  type ConfigMap,
  configMaps,
  customResourceDefinitions,
  type Deployment,
  defineResource,
  deployments,
  isAlreadyExists,
  isConflict,
  isInvalid,
  isNotFound,
  type KubeObject,
  namespaces,
  pods,
} from "@operator-path/client";
import { expect, test } from "vitest";
import { startCachedClient } from "../cache/testing/cached-client.ts";
import { createObjectClient } from "./create-client.ts";
import { ignoreAlreadyExists, ignoreNotFound } from "./errors.ts";
import { metadataOnly } from "./metadata-only.ts";
import { mergeFrom, rawPatch } from "./patch.ts";
import { createScheme } from "./scheme.ts";

interface Memcached extends KubeObject {
  spec?: { size: number };
  status?: { nodes: string[] };
}

const memcacheds = defineResource<Memcached>({
  ...{ group: "cache.example.com", version: "v1alpha1", kind: "Memcached", plural: "memcacheds" },
  namespaced: true,
});

const key = { namespace: "a", name: "settings" };
const configMap = (more: Partial<ConfigMap> = {}): ConfigMap => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  ...more,
  metadata: { ...key, ...more.metadata },
});

const startDirect = async () => (await startCachedClient()).direct;

test("writes and reads objects without changing its arguments", async () => {
  const client = await startDirect();
  const given = Object.freeze(configMap({ data: { k: "1" } }));
  const created = await client.create(given);
  expect(created.metadata?.uid).toBeDefined();
  const updated = await client.update({ ...created, data: { k: "2" } });
  expect(updated.metadata?.resourceVersion).not.toBe(created.metadata?.resourceVersion);
  await expect(client.update({ ...created, data: { k: "3" } })).rejects.toSatisfy(isConflict);
  expect(await client.get(configMaps, key)).toEqual(updated);
  await expect(client.create(given)).rejects.toSatisfy(isAlreadyExists);
  expect(await client.create(given).catch(ignoreAlreadyExists)).toBeUndefined();
  const generated = await client.create(configMap({ metadata: { generateName: "web-", name: "" } }));
  expect(generated.metadata?.name).toMatch(/^web-\w{5}$/);
  await client.delete(updated);
  expect(await client.get(configMaps, key).catch(ignoreNotFound)).toBeUndefined();
  await expect(client.delete(updated)).rejects.toSatisfy(isNotFound);
  await expect(client.create({ kind: "Memcached" }).catch(ignoreNotFound)).rejects.toThrow(
    "has no apiVersion",
  );
});

test("sends patches of every type", async () => {
  const client = await startDirect();
  const created = await client.create(configMap({ data: { a: "1", b: "2" } }));
  const wanted = { ...created, data: { b: "3", c: "4" } };
  expect((await client.patch(wanted, mergeFrom(created))).data).toEqual({ b: "3", c: "4" });
  await expect(client.patch(wanted, mergeFrom(created, { optimisticLock: true }))).rejects.toSatisfy(
    isConflict,
  );
  const json = [{ op: "remove" as const, path: "/data/b" }];
  expect((await client.patch(configMap(), rawPatch("json", json))).data).toEqual({ c: "4" });
  const strategic = { metadata: { labels: { l: "1" } } };
  const labels = (await client.patch(configMap(), rawPatch("strategic", strategic))).metadata?.labels;
  expect(labels).toEqual({ l: "1" });
  const asApplied = rawPatch("apply", { apiVersion: "v1", kind: "ConfigMap", data: { d: "5" } });
  const applied = await client.patch(configMap(), asApplied, { fieldManager: "me" });
  expect(applied.data).toEqual({ c: "4", d: "5" });
});

test("server-side apply removes fields that a manager drops, and takes others' fields only with force", async () => {
  const client = await startDirect();
  await client.apply(configMap({ data: { a: "1", b: "2" } }), { fieldManager: "me" });
  expect((await client.apply(configMap({ data: { a: "1" } }), { fieldManager: "me" })).data).toEqual({
    a: "1",
  });
  const others = configMap({ data: { a: "other" } });
  await expect(client.apply(others, { fieldManager: "you" })).rejects.toSatisfy(isConflict);
  const forced = await client.apply(others, { fieldManager: "you", force: true });
  expect(forced.data).toEqual({ a: "other" });
  await expect(client.apply(others)).rejects.toThrow(
    "server-side apply needs a field manager: set fieldManager in the options, or fieldOwner of the client",
  );
});

test("deletes with preconditions, with propagation, and by selection", async () => {
  const client = await startDirect();
  const created = await client.create(configMap({ metadata: { labels: { app: "x" } } }));
  const preconditions = { uid: created.metadata?.uid as string, resourceVersion: "1" };
  await expect(client.delete(created, { preconditions })).rejects.toSatisfy(isConflict);
  await client.delete(created, { propagationPolicy: "Foreground" });
  expect((await client.get(configMaps, key)).metadata?.finalizers).toEqual(["foregroundDeletion"]);
  for (const [name, app] of Object.entries({ one: "x", two: "x", three: "y" })) {
    await client.create(configMap({ metadata: { name, labels: { app } } }));
  }
  await client.deleteAllOf(configMaps, {
    namespace: "a",
    labels: { app: "x" },
    fields: { "metadata.name": "two" },
  });
  const names = async () =>
    (await client.list(configMaps, { namespace: "a", labelSelector: "app" })).map(
      ({ metadata }) => metadata?.name,
    );
  expect((await names()).sort()).toEqual(["one", "settings", "three"]);
  await expect(client.deleteAllOf(configMaps)).rejects.toThrow(
    "the API deletes configmaps in one namespace at a time: set namespace in the options",
  );
});

test("handles the status and unknown fields of a custom resource", async () => {
  const {
    direct,
    directConnection,
    start,
    client: cached,
  } = await startCachedClient({}, { scheme: createScheme(memcacheds) });
  const scheme = createScheme(memcacheds);
  await direct.create(crd());
  await expect
    .poll(async () =>
      directConnection
        .resource(memcacheds)
        .list()
        .then(() => "served", String),
    )
    .toBe("served");
  const client = createObjectClient(directConnection, {
    scheme,
    fieldOwner: "tests",
    fieldValidation: "Strict",
  });
  const memcached: Memcached = {
    apiVersion: "cache.example.com/v1alpha1",
    kind: "Memcached",
    metadata: { namespace: "a", name: "cache" },
    spec: { size: 1 },
  };
  const created = await client.create({ ...memcached, status: { nodes: ["x"] } });
  expect(created.status).toBeUndefined();
  expect(created.metadata?.managedFields?.map(({ manager }) => manager)).toEqual(["tests"]);
  const unknown = { ...memcached, spec: { size: 1, colour: "red" } } as Memcached;
  await expect(client.patch(unknown, mergeFrom(memcached))).rejects.toThrow('unknown field "spec.colour"');
  await client.patch(unknown, mergeFrom(memcached), { fieldValidation: "Ignore" });

  start();
  const update = await cached.status.update({
    ...(await cached.get(memcacheds, { namespace: "a", name: "cache" })),
    status: { nodes: ["y"] },
  });
  expect(update.status).toEqual({ nodes: ["y"] });
  expect((await cached.get(memcacheds, { namespace: "a", name: "cache" })).status).toEqual({ nodes: ["y"] });
  const applied = await client.status.apply(
    { ...memcached, spec: undefined, status: { nodes: ["z"] } } as never,
    { force: true },
  );
  expect(applied).toMatchObject({ status: { nodes: ["z"] }, spec: { size: 1 } });
  const invalid = { ...memcached, metadata: { namespace: "a", name: "other" }, spec: { size: "3" } };
  await expect(client.create(invalid)).rejects.toSatisfy(isInvalid);
});

test("makes dry runs by option and for a whole client", async () => {
  const { direct, directConnection } = await startCachedClient();
  expect(
    (await direct.create(configMap({ data: { k: "1" } }), { dryRun: true })).metadata?.uid,
  ).toBeDefined();
  const dry = createObjectClient(directConnection, { dryRun: true });
  await dry.create(configMap());
  await expect(direct.get(configMaps, key)).rejects.toSatisfy(isNotFound);
  await direct.create(configMap());
  await dry.delete(configMap());
  await dry.deleteAllOf(configMaps, { namespace: "a" });
  expect((await direct.get(configMaps, key)).data).toBeUndefined();
});

test.each([{ dryRun: false }, { dryRun: undefined }])(
  "a dry-run client stores nothing with the option %o either",
  async (options) => {
    const { direct, directConnection } = await startCachedClient();
    const stored = await direct.create(configMap({ data: { k: "1" } }));
    const dry = createObjectClient(directConnection, { dryRun: true, fieldOwner: "me" });
    const changed = { ...stored, data: { k: "2" } };
    const applied = configMap({ data: { k: "2" } });
    await dry.create(configMap({ metadata: { name: "other" } }), options);
    await dry.update(changed, options);
    await dry.patch(changed, mergeFrom(stored), options);
    await dry.apply(applied, { force: true, ...options });
    await dry.delete(stored, options);
    await dry.deleteAllOf(configMaps, { namespace: "a", ...options });
    await dry.status.update(changed, options).catch(ignoreNotFound);
    expect(await direct.list(configMaps)).toEqual([stored]);
  },
);

test("keeps the client's default for an undefined option", async () => {
  const { directConnection } = await startCachedClient();
  const client = createObjectClient(directConnection, { fieldOwner: "me" });
  const created = await client.create(configMap({ data: { k: "1" } }), { fieldManager: undefined });
  expect(created.metadata?.managedFields?.[0]?.manager).toBe("me");
});

test("lists from the server with limits, selectors and only metadata", async () => {
  const { client, direct, requests } = await startCachedClient({}, { disableFor: [configMaps] });
  const made = Array.from({ length: 8 }, (_, index) =>
    configMap({ metadata: { name: `c${index}`, labels: { l: "1" } } }),
  );
  await Promise.all(made.map((object) => direct.create(object)));
  const options = { namespace: "a", labels: { l: "1" } };
  expect(await client.list(configMaps, options)).toHaveLength(8);
  expect(requests.splice(0)).toHaveLength(1);
  expect(await client.list(configMaps, { ...options, limit: 3 })).toHaveLength(3);
  expect(requests.splice(0)).toHaveLength(1);
  const [one, ...others] = await client.list(metadataOnly(configMaps), {
    fields: { "metadata.name": "c7" },
    ...options,
  });
  expect([one?.metadata?.name, others.length]).toEqual(["c7", 0]);
  const metadata = await client.get(metadataOnly(configMaps), { namespace: "a", name: "c7" });
  expect([metadata.metadata?.labels, "data" in metadata]).toEqual([{ l: "1" }, false]);
  await expect(client.get(configMaps, { name: "c7" })).rejects.toThrow("a ConfigMap is namespaced");
});

test("rejects missing and superfluous namespaces", async () => {
  const client = await startDirect();
  await expect(
    client.update({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "x" } }),
  ).rejects.toThrow('a ConfigMap is namespaced: set metadata.namespace of "x"');
  await expect(
    client.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "x", namespace: "a" } }),
  ).rejects.toThrow('a Namespace is cluster-scoped: remove metadata.namespace "a" from "x"');
  await expect(
    client.delete({ apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "a" } }),
  ).rejects.toThrow("a ConfigMap of v1 has no metadata.name: set it");
  expect((await client.get(namespaces, { name: "a" })).metadata?.name).toBe("a");
  expect(await client.list(pods)).toEqual([]);
});

test("uses subresources of a Deployment and a ServiceAccount", async () => {
  const client = await startDirect();
  const web: Deployment = {
    ...{ apiVersion: "apps/v1", kind: "Deployment", metadata: { namespace: "a", name: "web" } },
    spec: {
      selector: { matchLabels: { app: "web" } },
      template: {
        metadata: { labels: { app: "web" } },
        spec: { containers: [{ name: "web", image: "nginx" }] },
      },
    },
  };
  await client.create(web);
  await client.subResource("scale").patch(web, rawPatch("merge", { spec: { replicas: 3 } }));
  expect((await client.get(deployments, { namespace: "a", name: "web" })).spec?.replicas).toBe(3);
  const account = { apiVersion: "v1", kind: "ServiceAccount", metadata: { namespace: "a", name: "robot" } };
  await client.create(account);
  const request = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} };
  const { status } = await client
    .subResource("token")
    .create<typeof request & { status?: { token: string } }>(account, request);
  expect(status?.token.split(".")).toHaveLength(3);
});

function crd() {
  const schema = {
    type: "object",
    properties: {
      spec: { type: "object", properties: { size: { type: "integer" } } },
      status: { type: "object", properties: { nodes: { type: "array", items: { type: "string" } } } },
    },
  };
  const { group, kind, plural } = memcacheds;
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: customResourceDefinitions.kind,
    metadata: { name: `${plural}.${group}` },
    spec: {
      ...{ group, scope: "Namespaced", names: { kind, plural } },
      versions: [
        {
          ...{ name: "v1alpha1", served: true, storage: true, subresources: { status: {} } },
          schema: { openAPIV3Schema: schema },
        },
      ],
    },
  };
}
