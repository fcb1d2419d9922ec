import { expect, test } from "vitest";
import type { Page } from "../page/page.ts";
import { parsePage } from "../page/parse.ts";
import { mutateCode } from "./code.ts";
import { dropMarkers, mutateMakefile, mutateManifest, mutateMarkers } from "./manifest.ts";
import { applyChange, changePages, type LineChange } from "./mutant.ts";
import { noticeText } from "./notice-text.ts";
import { mutateDurations, mutateText } from "./text.ts";

const pageOf = (body: string): Page =>
  parsePage(`---\ntitle: Test\n---\n${body.replaceAll("~~~", "```")}`, "1-page.md");
const operators = (changes: readonly LineChange[]) =>
  changes.map(({ operator, what }) => `${operator}: ${what}`);
const apply = (source: string, changes: readonly LineChange[], operator: string) =>
  changes.filter((change) => change.operator === operator).map((change) => applyChange(source, change));

test("text: changes numbers, units, names, captions and unproven fences, but not run blocks", () => {
  const page = pageOf(`Wait 5 s, then \`kubectl get\` three times: [a.ts](src/b.ts).

~~~text
┌─ two boxes
~~~

~~~console
$ kubectl get pods --limit=7
pods
~~~
`);
  expect(operators(mutateText(page))).toEqual([
    "name: `kubectl get` → `kubctl get`",
    "swap: `kubectl get` three times: [a.ts](src/b.ts) → [a.ts](src/b.ts) three times: `kubectl get`",
    "caption: a.ts → a.t",
    "number: 5 → 6",
    "unit: s → ms",
    "number word: three → four",
    "fence: ┌─ → ─",
    "fence: two → to",
    "fence: boxes → boes",
    "swap: two boxes → boxes two",
    "title: title: Test → title: Tet",
  ]);
});

test("text: changes front matter, tables, folds, anchors and comments", () => {
  const page = parsePage(
    `---
title: Test
summary: It takes 5 steps.
requires: [kubectl, make]
---
## A

| A | B |
|-|-|
| \`x\` | \`y\` |

<details><summary>2 hints</summary>

A POD of [b](#b).

</details>

## B

[a.ts](a.ts)
~~~ts file
/**
 * Waits for 3 seconds,
 * or two hours, or a minute.
 *
 * +kubebuilder:validation:Maximum=3
 */
const a = 3; // at 7
~~~
`.replaceAll("~~~", "```"),
    "1-page.md",
  );
  expect(operators(mutateText(page))).toEqual([
    "number: 5 → 6",
    "swap: `x` | `y` → `y` | `x`",
    "number: 2 → 3",
    "name: POD → PD",
    "swap: POD of [b](#b) → [b](#b) of POD",
    "anchor: b → a",
    "caption: a.ts → a.t",
    "comment: 3 → 4",
    "unit: seconds → minutes",
    "unit: a minute → an hour",
    "comment: two → three",
    "unit: hours → seconds",
    "comment: 7 → 8",
    "requires: requires: [kubectl, make] → requires: [make]",
    "requires: requires: [kubectl, make] → requires: [kubectl]",
    "requires: requires: [kubectl, make] → requires: [kubectl, make, curl]",
    "requires: requires: [kubectl, make] → requires: [kubectl, make, helm]",
    "title: title: Test → title: Tet",
  ]);
});

test("text: changes the unit of a duration in expected output", () => {
  const page = pageOf("## Step\n\n~~~console\n$ kubectl get pods\nNAME   AGE\nweb    30s\n~~~\n");
  const [change] = mutateDurations(page);
  expect(change).toMatchObject({ operator: "duration", what: "30s → 30h", lines: ["web    30h"] });
});

test("code: changes calls, errors, namespaces, conditions and requeues", () => {
  const source = `export async function reconcile(client: Client, namespace: string) {
  await client.update({ namespace, size: 3 });
  const pods = await client.list({ namespace, labels }).catch(ignoreNotFound);
  if (pods) return {};
  return { requeueAfter: 60_000 };
}
`;
  const changes = mutateCode("reconcile.ts", source);
  expect(apply(source, changes, "drop a call")[0]).not.toContain("update");
  expect(apply(source, changes, "swallow an error")).toEqual([
    source.replace("size: 3 })", "size: 3 }).catch(() => {})"),
    source.replace("ignoreNotFound", "() => undefined"),
  ]);
  expect(apply(source, changes, "look everywhere")[1]).toContain("client.list({  labels })");
  expect(apply(source, changes, "negate a condition")).toEqual([source.replace("(pods)", "(!(pods))")]);
  expect(apply(source, changes, "requeue at once")).toEqual([
    source.replace("return {};", "return { requeueAfter: 1 };"),
    source.replace("60_000", "1"),
  ]);
});

test.each([
  ["what would not parse", 'const { namespace = "default" } = object;\n'],
  ["an error that is swallowed already", "const synced = stop.catch(() => {});\n"],
])("code: %s makes no mutant", (_, source) => {
  expect(mutateCode("a.ts", source)).toEqual([]);
});

test("manifests: changes hardening, permissions, columns and numbers", () => {
  const pod = "spec:\n  securityContext:\n    runAsNonRoot: true\n  replicas: 2\n";
  expect(operators(mutateManifest(pod))).toEqual([
    "drop a security field: without securityContext",
    "drop a security field: without runAsNonRoot",
    "weaken a security field: runAsNonRoot: false",
    "number: replicas: 2 → 3",
  ]);
  const role =
    "kind: Role\nrules:\n  - apiGroups: [apps]\n    resources: [deployments]\n    verbs: [get, list]\n";
  const changes = mutateManifest(role);
  expect(apply(role, changes, "add a right")).toEqual([role.replace("list]", "list, deletecollection]")]);
  expect(apply(role, changes, "drop a right")).toEqual([role.replace(", list]", "]")]);
  expect(apply(role, changes, "add a rule")[0]).toContain("resources: [secrets]");
  const types = '/** +kubebuilder:printcolumn:name=A,type=string,JSONPath=".spec.a" */\n';
  expect(apply(types, mutateMarkers(types), "swap a column")).toEqual([
    types.replace(".spec.a", ".metadata.generation"),
  ]);
});

test("copies a change of the project to the pages that write, edit and quote it", () => {
  const page = pageOf(`## Step

[src/a.ts](p/src/a.ts)
~~~ts file
function a() {
  call(1);
}
~~~

[src/a.ts](p/src/a.ts)
~~~diff
--- a/src/a.ts
+++ b/src/a.ts
@@ -2,2 +2,3 @@
   call(1);
+  call(2);
 }
~~~

[src/a.ts](p/src/a.ts)
~~~ts
call(1);
~~~
`);
  const source = "function a() {\n  call(1);\n  call(2);\n}\n";
  const change = { operator: "", what: "", from: 2, to: 2, lines: ["  call(9);"] };
  const changed = changePages([page], "p/src/a.ts", source, change).get("1-page.md");
  expect(changed).toBe(page.source.replaceAll("call(1)", "call(9)"));
  const longer = changePages([page], "p/src/a.ts", source, {
    ...change,
    lines: ["  call(1);", "  call(9);"],
  });
  expect(longer.get("1-page.md")).toContain("@@\n   call(1);\n   call(9);\n+  call(2);\n }\n");
});

test("detects a page that does not parse, a broken link and another age without a run", () => {
  const page = pageOf("## Step\n\nSee [it](#step).\n\n~~~console\n$ helm list\n3 days\n~~~\n");
  const notice = (from: string, to: string) => noticeText(page, page.source.replace(from, to));
  expect(notice("#step", "#stop")).toContain("leads to no heading");
  expect(notice("~~~console".replaceAll("~", "`"), "```console nonsense")).toContain("nonsense");
  expect(notice("3 days", "4 days")).toBe("line 10: the output differs");
  expect(notice("See", "Look at")).toBeUndefined();
});

test("manifests: removes validations of a schema, markers and prerequisites", () => {
  const definition = `kind: CustomResourceDefinition
schema:
  required:
    - spec
  properties:
    size:
      type: integer
      minimum: 0
`;
  expect(apply(definition, mutateManifest(definition), "drop a validation")).toEqual([
    definition.replace("  required:\n    - spec\n", ""),
    definition.replace("      minimum: 0\n", ""),
  ]);
  const type =
    "/**\n * A size.\n *\n * +kubebuilder:validation:Minimum=0\n */\n// +kubebuilder:rbac:groups=apps\n";
  expect(apply(type, dropMarkers(type), "drop a marker")).toEqual([
    "/**\n * A size.\n *\n */\n// +kubebuilder:rbac:groups=apps\n",
    "/**\n * A size.\n *\n * +kubebuilder:validation:Minimum=0\n */\n",
  ]);
  const makefile = "IMG ?= app:1\n\ntest: manifests vet ## Run the tests.\n\ttrue\n";
  expect(apply(makefile, mutateMakefile(makefile), "drop a prerequisite")).toEqual([
    makefile.replace("manifests vet", "vet"),
    makefile.replace("manifests vet", "manifests"),
  ]);
});
