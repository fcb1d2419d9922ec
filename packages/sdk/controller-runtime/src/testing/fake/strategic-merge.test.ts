import { type Deployment, deployments } from "@operator-path/client";
import fc from "fast-check";
import { expect, test } from "vitest";
import { rawPatch, strategicMergeFrom } from "../../client/patch.ts";
import { createScheme } from "../../client/scheme.ts";
import { memcached, memcacheds } from "../../controller/testing/memcached.ts";
import { createFakeClient } from "./fake-client.ts";
import { applyStrategicMergePatch } from "./strategic-merge.ts";

const word = fc.constantFrom("a", "b", "c", "d");
const named = <T>(value: fc.Arbitrary<T>) =>
  fc.uniqueArray(fc.record({ name: word, value }), { selector: ({ name }) => name, maxLength: 4 });
const deployment = fc
  .record({
    labels: fc.dictionary(word, word),
    finalizers: fc.uniqueArray(word, { maxLength: 3 }),
    replicas: fc.option(fc.nat(3), { nil: undefined }),
    containers: named(named(word)),
    args: fc.array(word, { maxLength: 3 }),
  })
  .map(
    ({ labels, finalizers, replicas, containers, args }): Deployment =>
      JSON.parse(
        JSON.stringify({
          ...{ apiVersion: "apps/v1", kind: "Deployment" },
          metadata: { namespace: "ns", name: "web", labels, finalizers },
          spec: {
            replicas,
            template: {
              spec: { containers: containers.map(({ name, value }) => ({ name, args, env: value })) },
            },
          },
        }),
      ),
  );

test("a patch of two objects turns one into the other", () => {
  fc.assert(
    fc.property(deployment, deployment, (before, after) => {
      const patch = strategicMergeFrom(before).data(after);
      expect(applyStrategicMergePatch(before, JSON.parse(JSON.stringify(patch)), "Deployment")).toEqual(
        after,
      );
    }),
  );
});

const patched = (before: object, patch: object) =>
  applyStrategicMergePatch(
    { spec: { template: { spec: before } } },
    { spec: { template: { spec: patch } } },
    "Deployment",
  );
const spec = (inner: object) => ({ spec: { template: { spec: inner } } });

test("keeps list items of other writers in place", () => {
  const before = {
    containers: [{ name: "proxy", image: "p" }, { name: "web", image: "1" }, { name: "logs" }],
  };
  expect(patched(before, { containers: [{ name: "web", image: "2" }] })).toEqual(
    spec({ containers: [{ name: "proxy", image: "p" }, { name: "web", image: "2" }, { name: "logs" }] }),
  );
  const ordered = { "$setElementOrder/containers": [{ name: "logs" }, { name: "web" }] };
  expect(patched(before, { ...ordered, containers: [{ name: "web", image: null }] })).toEqual(
    spec({ containers: [{ name: "proxy", image: "p" }, { name: "logs" }, { name: "web" }] }),
  );
});

test("applies directives", () => {
  const containers = [{ name: "a" }, { name: "b" }];
  const before = { containers, nodeSelector: { a: "1", b: "2" }, securityContext: { runAsUser: 1 } };
  expect(patched(before, { containers: [{ name: "a", $patch: "delete" }] })).toEqual(
    spec({ ...before, containers: [{ name: "b" }] }),
  );
  expect(patched(before, { containers: [{ $patch: "replace" }, { name: "c" }] })).toEqual(
    spec({ ...before, containers: [{ name: "c" }] }),
  );
  expect(patched(before, { nodeSelector: { $patch: "replace", c: "3" } })).toEqual(
    spec({ ...before, nodeSelector: { c: "3" } }),
  );
  expect(patched(before, { nodeSelector: { $retainKeys: ["a"] } })).toEqual(
    spec({ ...before, nodeSelector: { a: "1" } }),
  );
  expect(patched(before, { securityContext: { $patch: "delete" } })).toEqual(
    spec({ containers, nodeSelector: before.nodeSelector }),
  );
  expect(() => patched(before, { containers: [{ image: "x" }] })).toThrow(
    "an item of spec.template.spec.containers does not contain declared merge key: name",
  );
});

test("the fake client accepts them only for built-in kinds, as a server does", async () => {
  const web: Deployment = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { namespace: "ns", name: "web" },
  };
  const client = createFakeClient({ scheme: createScheme(memcacheds), objects: [web, memcached("sample")] });
  const original = await client.get(deployments, { namespace: "ns", name: "web" });
  const wanted = { ...original, spec: { replicas: 2 } } as Deployment;
  expect((await client.patch(wanted, strategicMergeFrom(original))).spec).toEqual({ replicas: 2 });
  await expect(client.patch(memcached("sample"), rawPatch("strategic", {}))).rejects.toMatchObject({
    ...{ code: 415, reason: "UnsupportedMediaType" },
  });
});
