import { expect, test } from "vitest";
import { parseManifest } from "./parse-manifest.ts";

const namesOf = (manifest: string) => parseManifest(manifest).map(({ object }) => object.metadata?.name);

test("each object knows the file that it was rendered from, and whether it is a hook or kept", () => {
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

test("a list is its items, which need not say what they are", () => {
  expect(
    namesOf("{ apiVersion: v1, kind: List, items: [{ apiVersion: v1, kind: Pod, metadata: { name: a } }] }"),
  ).toEqual(["a"]);
  expect(
    parseManifest("{ apiVersion: v1, kind: ConfigMapList, items: [{ metadata: { name: b } }] }"),
  ).toMatchObject([{ object: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "b" } } }]);
});

test("a field named __proto__ is a field", () => {
  const [first] = parseManifest(
    '{ apiVersion: v1, kind: ConfigMap, metadata: { name: a }, data: { __proto__: "x" } }',
  );
  const { data = {} } = (first?.object ?? {}) as { data?: object };
  expect(Object.keys(data)).toEqual(["__proto__"]);
});

test.for([
  ["a: [", /^web\/templates\/a\.yaml: what it renders is not YAML: line \d+ of it, column \d+: /],
  ["just text", /^web\/templates\/a\.yaml: it renders "just text", which is no object$/],
  ["kind: Pod\nmetadata: { name: a }", /a\.yaml: it renders an object without apiVersion: say what it is$/],
  ["apiVersion: v1\nmetadata: { name: a }", /a\.yaml: it renders an object without kind: say what it is$/],
  ["apiVersion: v1\nkind: Pod", /a\.yaml: it renders a Pod without metadata\.name: give it one$/],
] as const)("%j is refused by the template's name", ([text, message]) => {
  expect(() => parseManifest(`---\n# Source: web/templates/a.yaml\n${text}\n`)).toThrow(message);
});

test("what no server would store is refused before it is read", () => {
  const long = "  a: 1\n".repeat(250_000);
  const text = `---\n# Source: web/templates/a.yaml\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata:\n${long}`;
  expect(() => parseManifest(text)).toThrow(
    "web/templates/a.yaml: it is 1.8 MB long, and 1.5 MB at most are read",
  );
  expect(() => parseManifest("---\n".repeat(4_500_000))).toThrow(
    "the manifest: it is 18.0 MB long, and 16.0 MB at most are read",
  );
});
