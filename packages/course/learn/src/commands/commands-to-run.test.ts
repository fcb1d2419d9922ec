import { parsePage } from "@operator-path/walkthrough";
import { expect, it } from "vitest";
import { changeOf, deletedBy, mayName } from "./changes.ts";
import { changesToRepeat, commandsToRun, variablesToSet } from "./commands-to-run.ts";

const page = parsePage(
  `---
title: Run
---

## Build

~~~console
$ make docker-build docker-push
$ make deploy IMG=a:1
$ kubectl apply -f a.yaml
$ make test
$ make deploy
error: denied
? 1
~~~

## Name

~~~console
$ POD=$(kubectl get pod -o name)
$ FIRST=$(kubectl get pod \\
    -o name)
$ make deploy
~~~

~~~console terminal=operator running
$ pnpm start
~~~

~~~console terminal=log running
$ kubectl logs -f a
~~~

## Use

~~~console
$ POD=$(kubectl get pod -o name)
$ kubectl delete $POD $FIRST
~~~

~~~console terminal=operator
^C
~~~

## Clean up

~~~console
$ make undeploy
$ kubectl delete $POD
~~~
`.replaceAll("~~~", "```"),
  "/tutorials/01-run/1-page.md",
);
const after = (index: number): string[] => {
  const until = page.steps[index];
  if (!until) throw new Error("there is no such step");
  return commandsToRun(page, until).map(({ terminal, text }) => `${terminal}: ${text}`);
};

it("lists what builds and deploys", () => {
  expect(after(0)).toEqual(["1: make docker-build docker-push", "1: make deploy IMG=a:1"]);
});

it("lists the last deployment, variables that a later step uses, and programs that run", () => {
  expect(after(1)).toEqual([
    "1: make docker-build docker-push",
    "1: FIRST=$(kubectl get pod \\\n    -o name)",
    "1: make deploy",
    "2: pnpm start",
  ]);
});

it("lists the variables of earlier steps that a new shell lacks", () => {
  const setBy = (index: number) => {
    const step = page.steps[index];
    return step && variablesToSet(page, step).map(({ text }) => text);
  };
  expect(setBy(1)).toEqual([]);
  expect(setBy(2)).toEqual(["FIRST=$(kubectl get pod \\\n    -o name)"]);
});

it("leaves out programs that the page stops, and variables that only Clean up uses", () => {
  expect(after(2)).toEqual(["1: make docker-build docker-push", "1: make deploy"]);
});

it("lists commands that change objects, unless a later one deletes or scales the same", () => {
  const commands = [
    "kubectl apply -f a.yaml",
    "kubectl create namespace shop",
    "kubectl create serviceaccount prometheus -n shop",
    "kubectl create -f a.yaml",
    "kubectl scale deployment/web --replicas=0",
    "kubectl scale deployment shop-controller-manager --replicas=0",
    "kubectl patch mutatingwebhookconfiguration shop-mutating --type json -p '[]'",
    `kubectl patch clusterrole shop --type json -p '[{"op": "remove", "path": "/rules/0"}]'`,
    "make docker-build docker-push deploy",
    "kubectl scale deployment shop-controller-manager --replicas=2",
    "kubectl label pod $POD checked=yes",
    "kubectl label pod one checked=yes",
    "kubectl set image pod/store store=nginx",
    `kubectl patch pbt one --type merge -p '{"spec":{"image":"a"}}' --dry-run=server`,
    "kubectl patch pbt two --type merge -p '{}'",
    "kubectl scale deployment web --replicas=1",
    "kubectl run careless --image=a",
    "kubectl delete pod $POD",
    "kubectl delete pod/careless",
    "kubectl get pods",
    "helm upgrade web charts/web --set a=1",
    "helm list",
  ];
  const block = commands.map((command) => `$ ${command}\n`).join("");
  const text = `---\ntitle: T\n---\n\n## One\n\n~~~console\n${block}~~~\n\n## Two\n\n~~~console\n$ kubectl annotate pod one a=b\n~~~\n`;
  const changed = parsePage(text.replaceAll("~~~", "```"), "/tutorials/01-run/1-page.md");
  const [first] = changed.steps;
  if (!first) throw new Error("there is no step");
  expect(changesToRepeat(changed, first).map((one) => one.text)).toEqual([
    "kubectl create serviceaccount prometheus -n shop",
    "kubectl scale deployment shop-controller-manager --replicas=2",
    "kubectl label pod one checked=yes",
    "kubectl set image pod/store store=nginx",
    "kubectl patch pbt two --type merge -p '{}'",
    "kubectl scale deployment web --replicas=1",
    "helm upgrade web charts/web --set a=1",
  ]);
});

it("tells objects of different kinds and namespaces' flags apart", () => {
  const entry = (text: string) => ({ kind: "command", text }) as Parameters<typeof changeOf>[0];
  expect(changeOf(entry("kubectl scale -n shop deployment web --replicas=1"))).toMatchObject({ name: "web" });
  expect(changeOf(entry("kubectl patch crd toys --subresource=status -p '{}'"))).toBe(undefined);
  expect(deletedBy("kubectl delete toy one -n shop").objects).toEqual([{ type: "toy", name: "one" }]);
  expect(deletedBy("kubectl delete pod/a svc/b").objects.map(({ type }) => type)).toEqual(["pod", "svc"]);
  expect(mayName({ type: "deployment", name: "web" }, { type: "Memcached", name: "web" })).toBe(false);
  expect(mayName({ type: "pbt", name: "web" }, { type: "Podbuggertool", name: "web" })).toBe(true);
  expect(mayName({ type: "svc", name: "web" }, { type: "Service", name: "web" })).toBe(true);
});
