import { expect, test } from "vitest";
import { type Fault, restlessOperator } from "../testing/restless-operator.ts";
import { temporaryPage } from "../testing/temporary-page.ts";

const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: toys.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { kind: Toy, plural: toys }
  versions:
    - name: v1
      served: true
      storage: true
      schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }
`;
const toy = `apiVersion: example.com/v1
kind: Toy
metadata: { name: bear }
spec: { a: "1" }
`;
const pod = `apiVersion: v1
kind: Pod
metadata: { name: web, labels: { app: web } }
spec:
  securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: RuntimeDefault } }
  containers:
    - name: web
      image: busybox
      command: [sleep, "600"]
      securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: [ALL] } }
`;

/**
 * Runs a page that starts an operator with a fault. `more` is more of the page, `settling` the milliseconds until it
 * must rest: a fault that never ends needs few.
 */
async function run(fault: Fault, { more = "", front = "", settling = 20_000 } = {}) {
  using tutorial = temporaryPage(
    `## Run

~~~console
$ kubectl create configmap web --from-literal=a=1
configmap/web created
$ kubectl apply -f "$TUTORIAL/crd.yaml"
customresourcedefinition.apiextensions.k8s.io/toys.example.com created
$ kubectl wait --for=condition=Established crd/toys.example.com
customresourcedefinition.apiextensions.k8s.io/toys.example.com condition met
$ kubectl apply -f "$TUTORIAL/pod.yaml" -f "$TUTORIAL/toy.yaml"
pod/web created
toy.example.com/bear created
$ kubectl wait --for=condition=Ready pod/web
pod/web condition met
~~~

~~~console terminal=operator running
$ node --conditions=@operator-path/source "$TUTORIAL/operator.ts"
watching
~~~
${more}
## Clean up

~~~console terminal=operator
^C
~~~

~~~console
$ kubectl delete configmap/web pod/web crd/toys.example.com --now
...
~~~
`,
    {
      front: `requires: [kubectl]\n${front}`,
      files: { "operator.ts": restlessOperator(fault), "crd.yaml": crd, "pod.yaml": pod, "toy.yaml": toy },
    },
  );
  const { difference, leaks, passed } = await tutorial.run({ limits: { settling } });
  return {
    passed,
    leaks,
    message: difference?.message ?? "",
    seen: (difference?.diff ?? []).map(({ text }) => text).join("\n"),
  };
}

test("passes a page whose operator rests, with a decoy beside its Pod", async () => {
  expect(await run("nothing")).toEqual({ passed: true, leaks: [], message: "", seen: "" });
});

test.each<[Fault, RegExp]>([
  ["requeues", /^controller web reconciled default\/web \d+ times (?:within one second|in [\d.]+ s)$/m],
  ["writes", /^configmaps default\/web was written (?:once|\d+ times) in [\d.]+ s at least$/m],
  ["reads", /^client "kubernetes-admin web-operator" sent GET \S+\/configmaps\/web \d+ times/m],
  [
    "writes-what-is-there",
    /^client "kubernetes-admin web-operator" sent PATCH \S+\/toys\/bear \d+ times in [\d.]+ s, although nothing had changed$/m,
  ],
  ["watches-twice", /^client "kubernetes-admin web-operator" has opened the watch \S+\/configmaps 2 times$/m],
])("fails a page whose operator %s", async (fault, seen) => {
  const report = await run(fault, { settling: 2_000 });
  expect(report.seen).toMatch(seen);
  expect(report.message).toContain("the cluster does not rest");
});

test("accepts what the front matter declares", async () => {
  const report = await run("reads", { front: "rests: { requests: 100 }\n" });
  expect(report).toEqual({ passed: true, leaks: [], message: "", seen: "" });
});

test("checks after a block marked `rests`, while the operator runs", async () => {
  const more = `
~~~console rests
$ kubectl get configmap web -o name
configmap/web
~~~

~~~console terminal=operator
^C
~~~
`;
  expect((await run("reads", { more, settling: 2_000 })).message).toContain("the cluster does not rest");
});

test("fails a page that stops its operator before the run checks that it rests", async () => {
  const more = `
~~~console terminal=operator
^C
~~~
`;
  expect((await run("nothing", { more })).message).toContain("start it with `console running rests`");
});

test("shows a decoy to an operator that lists without a namespace", async () => {
  const more = `
~~~console
$ kubectl get configmap web -o jsonpath='{.data.pods}'
1
~~~
`;
  expect((await run("looks-too-far", { more })).seen).toBe("1\n2");
});

test("fails a page whose operator writes to an object in another namespace", async () => {
  const report = await run("writes-too-far");
  expect(report.message).toContain("an operator changed objects of another namespace");
  expect(report.seen).toBe("pods web in another namespace was changed: metadata.labels");
});

test("hides the decoys from the page's own commands", async () => {
  const more = `
~~~console
$ kubectl get pods -A -l app=web
NAMESPACE   NAME   READY   STATUS    RESTARTS   AGE
default     web    1/1     Running   0          2s
~~~
`;
  expect((await run("nothing", { more })).message).toBe("");
});

test("refuses a Pod that the Pod standard restricted forbids", async () => {
  const more = `
~~~console
$ kubectl run bare --image=busybox
pod/bare created
~~~
`;
  expect((await run("nothing", { more })).seen).toContain('violates PodSecurity "restricted:latest"');
});
