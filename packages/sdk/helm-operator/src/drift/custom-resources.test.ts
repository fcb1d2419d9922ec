import { apiVersionOf, defineResource, type KubeObject } from "@operator-path/client";
import { mergeFrom } from "@operator-path/controller-runtime";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type DriftBench, definitionOf, providerOfTests, startDriftCluster } from "./testing/drift-bench.ts";

interface Rack extends KubeObject {
  spec?: Record<string, unknown>;
}
const racks = defineResource<Rack>({
  ...{ group: "example.com", version: "v1", kind: "Rack", plural: "racks", namespaced: true },
});
const shelf = { name: { type: "string" }, size: { type: "integer", default: 3 }, note: { type: "string" } };
const rackSpec = {
  type: "object",
  "x-kubernetes-preserve-unknown-fields": true,
  properties: {
    shelves: {
      ...{ type: "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"] },
      items: { type: "object", required: ["name"], properties: shelf },
    },
    tags: { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } },
    note: { type: "string" },
    color: { type: "string", default: "grey" },
  },
};

const manifestOf = (spec: string) =>
  `{ apiVersion: ${apiVersionOf(racks)}, kind: Rack, metadata: { name: a }, spec: ${spec} }`;

async function change({ client, namespace }: DriftBench, mutate: (spec: Record<string, unknown>) => void) {
  const live = await client.get(racks, { namespace, name: "a" });
  const spec = structuredClone(live.spec) ?? {};
  mutate(spec);
  await client.patch({ ...live, spec }, mergeFrom(live), { fieldManager: "other" });
}

const specOf = async ({ client, namespace }: DriftBench) =>
  (await client.get(racks, { namespace, name: "a" })).spec;

describe.each([await providerOfTests()])("a custom resource on the %s API server", (provider) => {
  let running: Awaited<ReturnType<typeof startDriftCluster>>;
  beforeAll(async () => {
    running = await startDriftCluster(provider, [definitionOf(racks, rackSpec)]);
  });
  afterAll(async () => running?.stop());

  async function installed(manifest: string): Promise<DriftBench> {
    const bench = await running.bench();
    await bench.mapper.resourceFor({ apiVersion: apiVersionOf(racks), kind: "Rack" });
    expect(await bench.repair(manifest)).toMatchObject([{ action: "created" }]);
    bench.requests();
    return bench;
  }

  test("merges its lists as the CRD says, and does not count defaults as drift", async () => {
    const manifest = manifestOf(
      '{ shelves: [{ name: low }, { name: high, size: 5 }], tags: [b, a], other: [{ x: 1 }], note: "" }',
    );
    const bench = await installed(manifest);
    expect(await bench.repair(manifest, undefined, bench.restarted())).toEqual([]);
    expect(bench.writes()).toEqual([]);

    await change(bench, (spec) => {
      spec.shelves = [{ name: "extra" }, { name: "high", size: 6, note: "mine" }];
      spec.tags = ["c", "b"];
      spec.other = [{ x: 2, y: 3 }];
      spec.note = undefined;
      spec.added = true;
    });
    const [repair] = await bench.repair(manifest);
    expect([...(repair?.fields ?? [])].sort()).toEqual([
      "spec.note",
      "spec.other",
      'spec.shelves[name="high"].size',
      'spec.shelves[name="low"]',
      'spec.tags["a"]',
    ]);
    const spec = await specOf(bench);
    expect(spec).toMatchObject({ added: true, note: "", color: "grey", other: [{ x: 1 }] });
    expect(spec?.shelves).toHaveLength(3);
    expect(spec?.shelves).toEqual(
      expect.arrayContaining([
        { name: "extra", size: 3 },
        { name: "high", size: 5, note: "mine" },
        { name: "low", size: 3 },
      ]),
    );
    expect([...((spec?.tags ?? []) as string[])].sort()).toEqual(["a", "b", "c"]);
    bench.requests();
    expect(await bench.repair(manifest)).toEqual([]);
    expect(bench.writes()).toEqual([]);
  });

  test("removes nothing that the manifest no longer has", async () => {
    const before = manifestOf("{ note: x, other: { a: 1, b: 2 } }");
    const after = manifestOf("{ other: { a: 1 } }");
    const bench = await installed(before);
    expect(await bench.repair(after, before)).toEqual([]);
    expect(bench.writes()).toEqual([]);
    expect(await specOf(bench)).toMatchObject({ note: "x", other: { a: 1, b: 2 } });
  });

  test("leaves the status in a manifest to its controller", async () => {
    const manifest = `{ apiVersion: ${apiVersionOf(racks)}, kind: Rack, metadata: { name: a }, spec: {}, status: { ready: true } }`;
    const bench = await installed(manifest);
    expect(await bench.repair(manifest, undefined, bench.restarted())).toEqual([]);
    expect(bench.writes()).toEqual([]);
  });
});
