import { parsePage } from "@operator-path/walkthrough";
import { expect, it } from "vitest";
import { endOfStep, objectCommands } from "./page-objects.ts";

const page = parsePage(
  `---
title: Objects
---

## One

~~~console
$ kubectl create namespace shop
namespace/shop created
$ kubectl apply -f "$TUTORIAL/a.yaml"
configmap/a created
$ kubectl apply -f b.yaml
configmap/b created
$ kubectl apply -f missing.yaml
configmap/c created
$ kubectl apply -f invalid.yaml
error: invalid
? 1
$ kubectl apply -f - <<END
kind: ConfigMap
metadata:
  name: inline
END
configmap/inline created
$ kubectl get configmap a
~~~

## Two

~~~console
$ kubectl delete configmap/b
configmap "b" deleted from default namespace
$ kubectl create -f "$TUTORIAL/a.yaml" -n shop
configmap/a created
$ make manifests install run
~~~

## Three

~~~console
$ kubectl delete -f "$TUTORIAL/a.yaml"
configmap "a" deleted from default namespace
~~~
`.replaceAll("~~~", "```"),
  "/tutorials/01-objects/1-page.md",
);
const files = new Map([
  ["/tutorials/01-objects/a.yaml", "kind: ConfigMap\nmetadata:\n  name: a\n"],
  ["b.yaml", "kind: ConfigMap\nmetadata:\n  name: b\n"],
  ["invalid.yaml", ""],
  ["config/crd/kustomization.yaml", "resources: []\n"],
]);
const commandsAfter = (index: number): string[] => {
  const until = page.steps[index];
  if (!until) throw new Error("there is no such step");
  return objectCommands(page, endOfStep(page, until), {
    read: (file) => files.get(file),
    tutorial: "/tutorials/01-objects",
  }).map(({ command }) => command);
};

it("applies the files and heredocs of the page up to a step", () => {
  expect(commandsAfter(0)).toEqual([
    "kubectl get namespace shop >/dev/null 2>&1 || kubectl create namespace shop",
    'kubectl apply -f "$TUTORIAL/a.yaml"',
    "kubectl apply -f b.yaml",
    "kubectl apply -f - <<END\nkind: ConfigMap\nmetadata:\n  name: inline\nEND",
  ]);
});

it("leaves out custom resources of a definition that a later command deletes", () => {
  const crd =
    "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: toys.example.com\nspec:\n  group: example.com\n  names: { kind: Toy }\n";
  const toy = "apiVersion: example.com/v1\nkind: Toy\nmetadata:\n  name: ball\n";
  const toys = parsePage(
    `---\ntitle: Toys\n---\n\n## One\n\n~~~console\n$ kubectl apply -f crd.yaml\n$ kubectl apply -f - <<END\n${toy}END\n$ kubectl delete crd toys.example.com\n$ kubectl apply -f crd.yaml\n~~~\n`.replaceAll(
      "~~~",
      "```",
    ),
    "/tutorials/01-toys/1-page.md",
  );
  const commands = objectCommands(toys, Number.POSITIVE_INFINITY, { read: () => crd, tutorial: "/" });
  expect(commands.map(({ line }) => line)).toEqual([16]);
});

it("leaves out what a later command deletes, and applies what the page creates or installs", () => {
  const commands = commandsAfter(1);
  expect(commands).not.toContain("kubectl apply -f b.yaml");
  expect(commands).toContain('kubectl apply -f "$TUTORIAL/a.yaml" -n shop');
  expect(commands).toContain("kubectl apply -k config/crd");
  expect(commandsAfter(2).join("\n")).not.toContain("a.yaml");
});
