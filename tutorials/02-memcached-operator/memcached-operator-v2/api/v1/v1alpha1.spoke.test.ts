import { expect, test } from "vitest";
import type { Memcached as MemcachedV1alpha1 } from "../v1alpha1/memcached.types.ts";
import { converter } from "./memcached.conversion.ts";
import type { Memcached, MemcachedSpec } from "./memcached.types.ts";

const metadata = { name: "sample", namespace: "default", annotations: { note: "kept" } };
const status = { nodes: ["sample-a"] };

const old = (spec: MemcachedV1alpha1["spec"]): MemcachedV1alpha1 => ({
  ...{ apiVersion: "cache.example.com/v1alpha1", kind: "Memcached", metadata, status },
  spec,
});
const current = (spec: MemcachedSpec): Memcached => ({
  ...{ apiVersion: "cache.example.com/v1", kind: "Memcached", metadata, status },
  spec,
});
const toV1 = (object: MemcachedV1alpha1) =>
  converter.convert(object, "cache.example.com/v1") as Promise<Memcached>;
const toV1alpha1 = (object: Memcached) =>
  converter.convert(object, "cache.example.com/v1alpha1") as Promise<MemcachedV1alpha1>;

test("the size of v1alpha1 is the replicas of v1, both ways", async () => {
  expect(await toV1(old({ size: 3, memory: 64 }))).toEqual(current({ replicas: 3, memory: 64 }));
  expect((await toV1alpha1(current({ replicas: 0 }))).spec).toEqual({ size: 0 });
});

test("an object of v1 comes back from v1alpha1 as it was, with whenFull", async () => {
  for (const whenFull of ["Evict", "Error", undefined] as const) {
    const object = current({ replicas: 3, memory: 64, ...(whenFull && { whenFull }) });
    expect(await toV1(await toV1alpha1(object))).toEqual(object);
  }
});

test("an old client cannot make whenFull invalid", async () => {
  const seen = await toV1alpha1(current({ replicas: 3, whenFull: "Error" }));
  for (const change of [() => "Maybe", (text: string) => text.replaceAll("Error", "Maybe")]) {
    const changed = (texts: Record<string, string> = {}) =>
      Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, change(text)]));
    const { labels, annotations } = seen.metadata ?? {};
    const written = { ...seen.metadata, labels: changed(labels), annotations: changed(annotations) };
    const { spec } = await toV1({ ...seen, metadata: written });
    expect([undefined, "Evict", "Error"]).toContain(spec.whenFull);
  }
});

test("an old client changes the size, and whenFull survives it", async () => {
  const seen = await toV1alpha1(current({ replicas: 3, whenFull: "Error" }));
  const written = { ...seen, spec: { ...seen.spec, size: 5 } };
  expect(await toV1(written)).toEqual(current({ replicas: 5, whenFull: "Error" }));
});
