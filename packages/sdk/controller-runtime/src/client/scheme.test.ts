import { startApiServer } from "@operator-path/apiserver";
import { createClient, defineResource, deployments, pods } from "@operator-path/client";
import { expect, onTestFinished, test } from "vitest";
import { createScheme } from "./scheme.ts";

const memcacheds = defineResource({
  ...{ group: "cache.example.com", version: "v1alpha1", kind: "Memcached", plural: "memcacheds" },
  namespaced: true,
});

test("finds the resource of an object or kind, built-in or custom", () => {
  const scheme = createScheme(memcacheds);
  expect(scheme.resourceFor({ apiVersion: "v1", kind: "Pod", metadata: { name: "web" } })).toBe(pods);
  expect(scheme.resourceFor({ apiVersion: "apps/v1", kind: "Deployment" })).toBe(deployments);
  expect(scheme.resourceFor({ apiVersion: "cache.example.com/v1alpha1", kind: "Memcached" })).toBe(
    memcacheds,
  );
  expect(scheme.recognizes({ apiVersion: "apps/v1", kind: "Pod" })).toBe(false);
  expect(scheme.resources()).toContain(memcacheds);
  expect(createScheme().recognizes({ apiVersion: "cache.example.com/v1alpha1", kind: "Memcached" })).toBe(
    false,
  );
});

test.each([
  [
    { apiVersion: "cache.example.com/v1", kind: "Memcached" },
    'the scheme does not know the kind cache.example.com/v1, Kind=Memcached (it knows the kind in cache.example.com/v1alpha1): add it with createScheme(defineResource({ group: "cache.example.com", version: "v1", kind: "Memcached", plural: …, namespaced: … }))',
  ],
  [
    { apiVersion: "v1", kind: "Binding" },
    'the scheme does not know the kind v1, Kind=Binding: add it with createScheme(defineResource({ group: "", version: "v1", kind: "Binding", plural: …, namespaced: … }))',
  ],
  [
    { metadata: { name: "web" } },
    'an object "web" has no apiVersion and kind: add it, as in { apiVersion: "v1", kind: "ConfigMap", … }',
  ],
  [{ kind: "Pod" }, 'an object has no apiVersion: add it, as in { apiVersion: "v1", kind: "ConfigMap", … }'],
])("names the kind and the solution in an error: %j", (object, message) => {
  expect(() => createScheme(memcacheds).resourceFor(object)).toThrow(message);
});

test("accepts the same resource twice, and rejects two resources for one kind", () => {
  expect(createScheme(memcacheds, memcacheds).resources()).toHaveLength(
    createScheme(memcacheds).resources().length,
  );
  const other = defineResource({ ...memcacheds, plural: "memcaches" });
  expect(() => createScheme(memcacheds, other)).toThrow(
    "two resources for the kind cache.example.com/v1alpha1, Kind=Memcached: memcacheds (namespaced) and memcaches (namespaced)",
  );
});

test("knows every kind with a stable version that a cluster serves", async () => {
  const server = await startApiServer();
  onTestFinished(() => server.stop());
  const connection = createClient(server.kubeConfig());
  onTestFinished(() => connection.close());
  const scheme = createScheme();
  const get = async (path: string) =>
    JSON.parse(Buffer.from((await connection.request({ method: "GET", path })).body).toString("utf8"));
  const { groups } = (await get("/apis")) as {
    groups: { versions: { groupVersion: string; version: string }[] }[];
  };
  const lasting = groups.flatMap(({ versions }) => versions).filter(({ version }) => /^v\d+$/.test(version));
  const unknown: string[] = [];
  let served = 0;
  for (const apiVersion of ["v1", ...lasting.map(({ groupVersion }) => groupVersion)]) {
    const path = apiVersion === "v1" ? "/api/v1" : `/apis/${apiVersion}`;
    const { resources } = (await get(path)) as {
      resources: { name: string; kind: string; namespaced: boolean; verbs: string[] }[];
    };
    for (const { name, kind, namespaced } of resources) {
      if (name.includes("/") || ["bindings", "componentstatuses"].includes(name)) continue;
      served++;
      const known = scheme.recognizes({ apiVersion, kind }) && scheme.resourceFor({ apiVersion, kind });
      if (!known || known.plural !== name || known.namespaced !== namespaced)
        unknown.push(`${apiVersion} ${kind}`);
    }
  }
  expect(unknown).toEqual([]);
  expect(served).toBeGreaterThan(40);
});
