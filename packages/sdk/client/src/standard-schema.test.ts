import { expect, expectTypeOf, test } from "vitest";
import * as z from "zod";
import type { Client } from "./client.ts";
import type { ObjectMeta } from "./generated/kubernetes-types.ts";
import { defineResource, type ObjectOf, type Resource } from "./resource.ts";
import type { StandardSchema } from "./standard-schema.ts";

const Memcached = z.object({
  spec: z.object({
    size: z.int().min(1).max(5).default(1),
    image: z.string().optional(),
  }),
  status: z.object({ nodes: z.array(z.string()) }).optional(),
});

const names = { group: "cache.example.com", version: "v1", kind: "Memcached", plural: "memcacheds" };
const memcacheds = defineResource({ ...names, namespaced: true, schema: Memcached });

/** A schema of a library other than zod. */
type Widget = StandardSchema<{ spec?: { size?: number } }, { spec: { size: number } }>;

declare const client: Client;

async function goodRequests() {
  const api = client.resource(memcacheds).namespace("default");
  const object = await api.get("a");
  expectTypeOf(object.metadata).toEqualTypeOf<ObjectMeta | undefined>();
  expectTypeOf(object.spec.size).toEqualTypeOf<number>();
  expectTypeOf(object.spec.image).toEqualTypeOf<string | undefined>();
  expectTypeOf(object.status?.nodes).toEqualTypeOf<string[] | undefined>();
  await api.create({ metadata: { name: "a" }, spec: { size: 1 } });
  await api.create({ metadata: { name: "a" }, ...Memcached.parse({ spec: {} }) });
  await api.updateStatus({ ...object, status: { nodes: ["a"] } });
  await api.patch("a", { spec: { size: null } }, { type: "merge" });
  const applied = { apiVersion: "cache.example.com/v1", kind: "Memcached", spec: { image: "memcached" } };
  await api.patch("a", applied, { type: "apply", fieldManager: "me" });
}

async function badRequests() {
  const api = client.resource(memcacheds).namespace("default");
  // @ts-expect-error: the output type includes the default
  await api.create({ metadata: { name: "a" }, spec: {} });
  // @ts-expect-error: a number
  await api.create({ metadata: { name: "a" }, spec: { size: "1" } });
  // @ts-expect-error: sizes
  await api.create({ metadata: { name: "a" }, spec: { size: 1, sizes: 2 } });
  // @ts-expect-error: spek
  await api.create({ metadata: { name: "a" }, spec: { size: 1 }, spek: {} });
  // @ts-expect-error: nayme
  await api.create({ metadata: { nayme: "a" }, spec: { size: 1 } });
  // @ts-expect-error: sizes
  await api.patch("a", { spec: { sizes: 2 } }, { type: "merge" });
  // @ts-expect-error: the schema is not an object
  defineResource({ ...names, namespaced: true, schema: z.string() });
  // @ts-expect-error: the scope is missing
  defineResource({ ...names, schema: Memcached });
}

test("checks literals and patches against the type of the schema", () => {
  expectTypeOf(goodRequests).returns.resolves.toBeVoid();
  expectTypeOf(badRequests).returns.resolves.toBeVoid();
});

test("gives a resource the output type of any Standard Schema", () => {
  expectTypeOf(memcacheds).toExtend<Resource<ObjectOf<typeof Memcached>>>();
  expectTypeOf<ObjectOf<Widget>["spec"]>().toEqualTypeOf<{ size: number }>();
  expectTypeOf<ObjectOf<Widget>["kind"]>().toEqualTypeOf<string | undefined>();
});

test("does not narrow the metadata of the object to the metadata of the schema", () => {
  const named = z.object({ metadata: z.object({ name: z.string().max(20) }), spec: z.object({}) });
  expectTypeOf<ObjectOf<typeof named>["metadata"]>().toEqualTypeOf<ObjectMeta | undefined>();
});

test("keeps the schema of a resource", () => {
  expect(memcacheds).toEqual({ ...names, namespaced: true, schema: Memcached });
  expectTypeOf(memcacheds.schema).toEqualTypeOf<typeof Memcached>();
});
