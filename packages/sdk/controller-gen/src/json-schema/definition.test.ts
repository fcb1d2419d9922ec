import { join } from "node:path";
import { startApiServer } from "@operator-path/apiserver";
import {
  createClient,
  customResourceDefinitions,
  defineResource,
  type StandardJsonSchema,
} from "@operator-path/client";
import { expect, onTestFinished, test, vi } from "vitest";
import { parse } from "yaml";
import * as z from "zod";
import { customResourceDefinition, definitionFile, SchemaError } from "./definition.ts";

const names = { group: "cache.example.com", version: "v1", kind: "Memcached", plural: "memcacheds" };

const Memcached = z.object({
  spec: z
    .object({
      size: z.int().min(1).max(5).default(1).describe("Pods to run."),
      ports: z
        .array(z.object({ name: z.string(), number: z.int().min(1).max(65_535) }))
        .meta({ "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"] })
        .optional(),
    })
    .meta({
      "x-kubernetes-validations": [{ rule: "self.size >= oldSelf.size", message: "size may not shrink" }],
    }),
  status: z.object({ nodes: z.array(z.string()), replicas: z.int() }).optional(),
});
const memcacheds = defineResource({ ...names, namespaced: true, schema: Memcached });

test("a CustomResourceDefinition has the names, the schema and the options", () => {
  const scale = { specReplicasPath: ".spec.size", statusReplicasPath: ".status.replicas" };
  const columns = [{ name: "Size", type: "integer", jsonPath: ".spec.size" }];
  const definition = customResourceDefinition(memcacheds, {
    shortNames: ["mc"],
    categories: ["all"],
    scale,
    additionalPrinterColumns: columns,
    labels: { team: "cache" },
  });
  expect(definition.metadata).toEqual({ name: "memcacheds.cache.example.com", labels: { team: "cache" } });
  expect(definition.spec.scope).toBe("Namespaced");
  expect(definition.spec.names).toEqual({
    kind: "Memcached",
    listKind: "MemcachedList",
    plural: "memcacheds",
    singular: "memcached",
    shortNames: ["mc"],
    categories: ["all"],
  });
  const [version] = definition.spec.versions;
  expect(version).toMatchObject({
    name: "v1",
    served: true,
    storage: true,
    subresources: { status: {}, scale },
    additionalPrinterColumns: columns,
  });
  expect(version?.schema?.openAPIV3Schema?.required).toEqual(["spec"]);
  expect(version?.schema?.openAPIV3Schema?.properties?.metadata).toEqual({ type: "object" });
});

test("status is a subresource if there is one, unless the options say otherwise", () => {
  const plain = defineResource({ ...names, namespaced: false, schema: z.object({ spec: z.object({}) }) });
  expect(customResourceDefinition(plain).spec.versions[0]?.subresources).toBeUndefined();
  expect(customResourceDefinition(plain).spec.scope).toBe("Cluster");
  expect(customResourceDefinition(memcacheds).spec.versions[0]?.subresources).toEqual({ status: {} });
  const without = customResourceDefinition(memcacheds, { status: false });
  expect(without.spec.versions[0]?.subresources).toBeUndefined();
});

test("a file has the name and the form of the generator crd", () => {
  const definition = customResourceDefinition(memcacheds);
  const { path, text } = definitionFile(definition, "config/crd/bases");
  expect(path).toBe(join(process.cwd(), "config/crd/bases/cache.example.com_memcacheds.yaml"));
  expect(text.startsWith("---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n")).toBe(
    true,
  );
  expect(parse(text)).toEqual(definition);
});

test("names every field that cannot become part of a CustomResourceDefinition", () => {
  const schema = z.object({
    metadata: z.object({ name: z.string().max(20), labels: z.record(z.string(), z.string()) }),
    spec: z.object({ since: z.date(), days: z.array(z.object({ at: z.set(z.string()) })) }),
    status: z.object({}),
  });
  const bad = defineResource({ ...names, namespaced: true, schema });
  const out =
    "use a type of JSON (for a date, an ISO 8601 string), or let the server keep this field unchecked with x-kubernetes-preserve-unknown-fields: true";
  expect(() => customResourceDefinition(bad)).toThrow(
    [
      "the schema of Memcached (cache.example.com/v1) cannot become a CustomResourceDefinition:",
      `  spec.since: Date cannot be represented in JSON Schema: ${out}`,
      `  spec.days[*].at: Set cannot be represented in JSON Schema: ${out}`,
      "  status: a new object has no status, but the schema requires one: make it optional",
      "  metadata.labels: API servers check this field themselves: leave it out: a schema may have name and generateName",
    ].join("\n"),
  );
  const scalar = defineResource({
    ...names,
    namespaced: true,
    schema: z.union([z.object({ a: z.string() }), z.object({})]),
  });
  expect(() => customResourceDefinition(scalar)).toThrow("  the object: a union of different objects");
});

test("names every field that a transform changes", () => {
  const date = z.codec(z.iso.datetime(), z.date(), {
    decode: (text) => new Date(text),
    encode: (value) => value.toISOString(),
  });
  const spec = z.object({
    size: z.string().transform(Number),
    on: z.stringbool(),
    dates: z.array(date),
    levels: z.record(z.string(), z.string().pipe(z.string().transform((text) => text.length))),
    mode: z.string().pipe(z.enum(["a"])),
    plain: z.object({ a: z.string().trim().default("a"), b: z.int().catch(1), c: z.coerce.number() }),
    kept: z.string().transform(Number).meta({ "x-kubernetes-preserve-unknown-fields": true }),
    any: z.unknown(),
    port: z.union([z.int(), z.string()]).nullable().optional(),
  });
  const changed = defineResource({ ...names, namespaced: true, schema: z.object({ spec }) });
  const problem =
    "a transform changes the value, but the server stores and returns the one before it: use the type before the transform, and convert the value in your code";
  const fields = ["spec.size", "spec.dates[*]", "spec.levels[*]", "spec.on", "spec.mode"];
  expect(() => customResourceDefinition(changed)).toThrow(
    new SchemaError(
      [
        "the schema of Memcached (cache.example.com/v1) cannot become a CustomResourceDefinition:",
        ...fields.map((field) => `  ${field}: ${problem}`),
      ].join("\n"),
    ),
  );
});

test("reports every name that a server would reject", () => {
  const wrong = { group: "../..", version: "V1", kind: "Mem cached", plural: "Memcacheds" };
  const bad = defineResource({ ...wrong, namespaced: true, schema: Memcached });
  expect(() => customResourceDefinition(bad)).toThrow(
    [
      '  group: "../.." is not a DNS name with a dot: use one such as cache.example.com',
      '  version: "V1" is not a version: use one such as v1alpha1',
      '  plural: "Memcacheds" is not the name of a resource: use lower-case letters, digits and -',
      '  kind: "Mem cached" is not a kind: use letters, digits and -',
    ].join("\n"),
  );
});

test("takes a schema of any library that implements Standard JSON Schema", () => {
  const other = (input: () => Record<string, unknown>): StandardJsonSchema<object> => ({
    "~standard": { version: 1, vendor: "other", jsonSchema: { input } },
  });
  const spec = { type: "object", properties: { size: { type: "integer" } }, required: ["size"] };
  const good = other(() => ({ type: "object", properties: { spec }, additionalProperties: false }));
  const resource = defineResource({ ...names, namespaced: true, schema: good });
  const [version] = customResourceDefinition(resource).spec.versions;
  expect(version?.schema?.openAPIV3Schema?.properties?.spec).toEqual({
    ...spec,
    properties: { size: { type: "integer", format: "int64" } },
  });
  const broken = other(() => {
    throw new Error("no draft-2020-12");
  });
  expect(() => customResourceDefinition({ ...resource, schema: broken })).toThrow(
    "the schema of Memcached cannot be written as JSON Schema: other says: no draft-2020-12",
  );
  const changed: StandardJsonSchema<object> = {
    "~standard": {
      ...good["~standard"],
      jsonSchema: {
        ...good["~standard"].jsonSchema,
        output: () => {
          throw new Error("transforms have no JSON Schema");
        },
      },
    },
  };
  expect(() => customResourceDefinition({ ...resource, schema: changed })).toThrow(
    "the schema of Memcached cannot be written as JSON Schema: other says: transforms have no JSON Schema",
  );
  const old = { "~standard": { version: 1, vendor: "zod" } } as StandardJsonSchema;
  expect(() => customResourceDefinition({ ...resource, schema: old })).toThrow(
    "the schema of Memcached is of zod, and has no ~standard.jsonSchema: use a version that implements Standard JSON Schema (zod 4.2 or later)",
  );
});

test("the server applies the schema's defaults, rules and list keys", async () => {
  const server = await startApiServer();
  onTestFinished(() => server.stop());
  const client = createClient(server.kubeConfig());
  onTestFinished(() => client.close());
  await client
    .resource(customResourceDefinitions)
    .create(customResourceDefinition(memcacheds), { fieldValidation: "Strict" });
  const api = client.resource(memcacheds).namespace("default");
  await vi.waitFor(() => api.list());

  const apply = (spec: object, fieldManager: string) => {
    const object = {
      apiVersion: "cache.example.com/v1",
      kind: "Memcached",
      metadata: { name: "sample" },
      spec,
    };
    return api.patch("sample", object, { type: "apply", fieldManager });
  };
  const created = await apply({ ports: [{ name: "a", number: 1 }] }, "one");
  expect(created.spec).toEqual(Memcached.parse({ spec: { ports: [{ name: "a", number: 1 }] } }).spec);
  expect(created.spec.size).toBe(1);
  const merged = await apply({ ports: [{ name: "b", number: 2 }] }, "two");
  expect(merged.spec.ports?.map(({ name }) => name)).toEqual(["a", "b"]);

  await api.patch("sample", { spec: { size: 3 } }, { type: "merge" });
  await expect(api.patch("sample", { spec: { size: 2 } }, { type: "merge" })).rejects.toThrow(
    "size may not shrink",
  );
  const { metadata } = await api.get("sample");
  const status = { nodes: ["n"], replicas: 1 };
  const written = await api.updateStatus({ metadata: metadata ?? {}, spec: { size: 5 }, status });
  expect(written).toMatchObject({ spec: { size: 3 }, status });
});
