import type { ConfigMap, Deployment, KubeObject } from "@operator-path/client";
import { expectTypeOf, test } from "vitest";
import { createOrUpdate } from "../controllerutil/create-or-update.ts";
import type { Client } from "./client.ts";
import { rawPatch } from "./patch.ts";

interface Memcached extends KubeObject {
  spec: { size: number; tags?: string[] };
  status?: { nodes: string[] };
}

// Nothing here runs: this tests the compiler. A line that must not compile follows a directive that fails if
// it does.
declare const client: Client;
declare const deployment: Deployment;
declare const memcached: Memcached;

const ofDeployment = { apiVersion: "apps/v1", kind: "Deployment" } as const;
const spec = { selector: {}, template: {} };

async function goodWrites<T extends KubeObject>(given: T) {
  expectTypeOf(
    await client.create({ ...ofDeployment, spec: { replicas: 3, ...spec } }),
  ).toEqualTypeOf<Deployment>();
  expectTypeOf(await client.create(deployment)).toEqualTypeOf<Deployment>();
  expectTypeOf(await client.create(memcached)).toEqualTypeOf<Memcached>();
  const same: T = await client.create(given);
  expectTypeOf(await client.create<ConfigMap>({ data: { a: "1" } })).toEqualTypeOf<ConfigMap>();
  const custom = { apiVersion: "example.com/v1", kind: "Web", spec: { size: 1 } };
  expectTypeOf((await client.create(custom)).spec.size).toEqualTypeOf<number>();
  expectTypeOf(await client.update({ ...deployment, metadata: { name: "a" } })).toExtend<Deployment>();
  await client.patch(deployment, rawPatch("merge", { spec: { replicas: 2 } }));
  await client.patch(memcached, rawPatch("json", [{ op: "remove", path: "/spec/tags" }]));
  expectTypeOf(
    await client.apply({
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "a" },
      spec: { replicas: 3 },
    }),
  ).toEqualTypeOf<Deployment>();
  await client.apply<Memcached>({ apiVersion: "example.com/v1", kind: "Memcached", status: { nodes: [] } });
  return same;
}

async function badWrites() {
  // @ts-expect-error: replicaz
  await client.create({ apiVersion: "apps/v1", kind: "Deployment", spec: { replicaz: 3, ...spec } });
  // @ts-expect-error: a number
  await client.update({ apiVersion: "apps/v1", kind: "Deployment", spec: { replicas: "3", ...spec } });
  // @ts-expect-error: dataa
  await client.create({ apiVersion: "v1", kind: "ConfigMap", dataa: {} });
  // @ts-expect-error: dataa
  await client.create<ConfigMap>({ dataa: {} });
  // @ts-expect-error: sise
  await client.create<Memcached>({ spec: { sise: 1 } });
  // @ts-expect-error: replicaz
  await client.patch(deployment, rawPatch("merge", { spec: { replicaz: 2 } }));
  // @ts-expect-error: sise
  await client.patch(memcached, rawPatch("strategic", { spec: { sise: 2 } }));
  // @ts-expect-error: replicaz
  await client.apply({ apiVersion: "apps/v1", kind: "Deployment", spec: { replicaz: 3 } });
}

test("the compiler checks writes against the type of their kind", () => {
  expectTypeOf(goodWrites).toBeFunction();
  expectTypeOf(badWrites).returns.resolves.toBeVoid();
});

declare module "@operator-path/client" {
  interface Kinds {
    "cache.example.com/v1alpha1/Memcached": Memcached;
  }
}

async function ownKind() {
  const of = { apiVersion: "cache.example.com/v1alpha1", kind: "Memcached" } as const;
  expectTypeOf(await client.create({ ...of, spec: { size: 1 } })).toEqualTypeOf<Memcached>();
  // @ts-expect-error: sise
  await client.create({ apiVersion: "cache.example.com/v1alpha1", kind: "Memcached", spec: { sise: 1 } });
}

test("the compiler checks kinds that declaration merging adds", () => {
  expectTypeOf(ownKind).toBeFunction();
});

async function uncheckedWrites() {
  await client.update({ ...deployment, spec: { replicaz: 3 } });
  await client.status.update({ ...memcached, status: { nodez: [] } });
  const wanted = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "a" } } as const;
  await createOrUpdate(client, { ...wanted, spec: { replicaz: 3 } }, () => {});
  await client.create({ apiVersion: "example.com/v1", kind: "Web", spec: { replicaz: 3 } });
  // @ts-expect-error: nodez
  const status: Memcached["status"] = { nodez: [] };
  await client.status.update({ ...memcached, status });
  // @ts-expect-error: replicaz
  await createOrUpdate<Deployment>(client, { ...wanted, spec: { replicaz: 3 } }, () => {});
}

test("the compiler checks a spread, createOrUpdate's object and an unknown kind only where a type is named", () => {
  expectTypeOf(uncheckedWrites).toBeFunction();
});
