import { expect, test } from "vitest";
import { parseManifest } from "./parse-manifest.ts";

const namesOf = (manifest: string) => parseManifest(manifest).map(({ object }) => object.metadata?.name);

test("returns each object's template, and whether it is a hook or kept", () => {
  const manifest = `---
# Source: web/templates/a.yaml
apiVersion: v1
kind: ConfigMap
metadata: { name: a }
data:
  text: |
    --- not a document
---
# only a comment
---
# Source: web/charts/db/templates/b.yaml
apiVersion: v1
kind: Secret
metadata:
  name: b
  annotations: { helm.sh/resource-policy: keep }
---
apiVersion: batch/v1
kind: Job
metadata: { name: c, annotations: { helm.sh/hook: "pre-install,pre-upgrade" } }
`;
  expect(parseManifest(manifest)).toMatchObject([
    { template: "web/templates/a.yaml", hook: false, keep: false, object: { kind: "ConfigMap" } },
    { template: "web/charts/db/templates/b.yaml", keep: true, object: { metadata: { name: "b" } } },
    { template: "web/charts/db/templates/b.yaml", hook: true, object: { metadata: { name: "c" } } },
  ]);
  expect(parseManifest("")).toEqual([]);
  expect(parseManifest("\n---\n---\n")).toEqual([]);
});

test("replaces a list by its items, which may omit their kind", () => {
  expect(
    namesOf("{ apiVersion: v1, kind: List, items: [{ apiVersion: v1, kind: Pod, metadata: { name: a } }] }"),
  ).toEqual(["a"]);
  expect(
    parseManifest("{ apiVersion: v1, kind: ConfigMapList, items: [{ metadata: { name: b } }] }"),
  ).toMatchObject([{ object: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "b" } } }]);
});

test("keeps a field named __proto__", () => {
  const [first] = parseManifest(
    '{ apiVersion: v1, kind: ConfigMap, metadata: { name: a }, data: { __proto__: "x" } }',
  );
  const { data = {} } = (first?.object ?? {}) as { data?: object };
  expect(Object.keys(data)).toEqual(["__proto__"]);
});

test.for([
  ["a: [", /^web\/templates\/a\.yaml: its output is not YAML: line \d+, column \d+: /],
  ["just text", /^web\/templates\/a\.yaml: it renders "just text", which is not an object$/],
  ["kind: Pod\nmetadata: { name: a }", /a\.yaml: it renders an object without apiVersion: add it$/],
  ["apiVersion: v1\nmetadata: { name: a }", /a\.yaml: it renders an object without kind: add it$/],
  ["apiVersion: v1\nkind: Pod", /a\.yaml: it renders a Pod without metadata\.name: give it one$/],
] as const)("rejects %j, and names the template", ([text, message]) => {
  expect(() => parseManifest(`---\n# Source: web/templates/a.yaml\n${text}\n`)).toThrow(message);
});

test("rejects what no server would store before parsing it", () => {
  const long = "  a: 1\n".repeat(250_000);
  const text = `---\n# Source: web/templates/a.yaml\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata:\n${long}`;
  expect(() => parseManifest(text)).toThrow(
    "web/templates/a.yaml: it is 1.8 MB long: at most 1.5 MB are read",
  );
  expect(() => parseManifest("---\n".repeat(4_500_000))).toThrow(
    "the manifest: it is 18.0 MB long: at most 16.0 MB are read",
  );
});
