import { expect, it } from "vitest";
import { parsePage } from "../page/parse.ts";
import { readsAfter, showsNews } from "./step-reads.ts";

const readsOf = (...console: string[]) => {
  const lines = ["---", "title: T", "requires: [kubectl]", "---", "", "# T", "", "## Step", "", "```console"];
  const [step] = parsePage([...lines, ...console, "```", ""].join("\n"), "1-t.md").steps.filter(
    ({ slug }) => slug === "step",
  );
  if (!step) throw new Error("the page has no step");
  return readsAfter(step, "embedded").map(({ entry }) => [
    entry.text,
    entry.expected.lines.map(({ text }) => text),
  ]);
};

it("includes the state of a rollout, without waiting for it", () => {
  expect(
    readsOf(
      "$ make deploy",
      "...",
      "$ kubectl rollout status deployment/web -n shop",
      'Waiting for deployment "web" rollout to finish: 0 of 1 updated replicas are available...',
      'deployment "web" successfully rolled out',
      "$ kubectl get namespace shop -o name",
      "namespace/shop",
    ),
  ).toEqual([
    [
      "kubectl rollout status deployment/web -n shop --watch=false",
      ['deployment "web" successfully rolled out'],
    ],
    ["kubectl get namespace shop -o name", ["namespace/shop"]],
  ]);
});

it("leaves out what the step reads before its last change", () => {
  expect(readsOf("$ kubectl get pods -o name", "pod/a", "$ kubectl delete pod a", 'pod "a" deleted')).toEqual(
    [],
  );
});

it("leaves out what the step reads before its last change of the code", () => {
  const read = ["$ kubectl get deployment a -o name", "deployment/a", "```", ""];
  const code = (file: string) => [`\`${file}\``, "", "```ts file", "export {};", "```", "", "```console"];
  const another = ["$ kubectl get pods -o name", "pod/a"];
  expect(readsOf(...read, ...code("src/a.ts"), ...another)).toEqual([
    ["kubectl get pods -o name", ["pod/a"]],
  ]);
  expect(readsOf(...read, ...code("src/a.test.ts"), ...another)).toHaveLength(2);
});

it("leaves out commands that change something, also those that the page expects to fail", () => {
  const reads = readsOf(
    "$ kubectl get pods -o name",
    "pod/a",
    "$ kubectl create -f a.yaml",
    "error: invalid",
    "? 1",
    "$ kubectl exec a -- date",
    "[..]",
  );
  expect(reads).toEqual([["kubectl get pods -o name", ["pod/a"]]]);
});

it("leaves out what tells of the past, and goes on after a command in a container", () => {
  const reads = readsOf(
    "$ kubectl apply -f - <<END",
    "kind: Pod",
    "END",
    "pod/a created",
    "$ kubectl get pod a -o name",
    "pod/a",
    "$ kubectl logs a",
    "started",
    "$ POD=$(kubectl get pod -o name)",
    "$ kubectl exec $POD -- touch file",
    "(no output)",
    "$ kubectl describe pod a",
    "...",
  );
  expect(reads).toEqual([["kubectl get pod a -o name", ["pod/a"]]]);
});

it.each([
  ["the same command shows something else", ["a", "b"], true],
  ["a step above shows the same", ["a", "a"], false],
  ["a step above shows the same, and a later one something else", ["a", "b", "a"], true],
])("proves a step by a read if %s", (_, shown, isNews) => {
  const steps = shown.map((name, at) => [
    ...[
      `## Step ${at}`,
      "",
      "```console",
      `$ kubectl label pod ${name} a=b`,
      "...",
      "$ kubectl get pods -o name",
    ],
    ...[`pod/${name}`, "```", ""],
  ]);
  const head = ["---", "title: T", "requires: [kubectl]", "---", "", "# T", ""];
  const page = parsePage([...head, ...steps.flat()].join("\n"), "1-t.md");
  const last = page.steps.at(-1);
  expect(last && showsNews(page, last, "embedded")).toBe(isNews);
});
