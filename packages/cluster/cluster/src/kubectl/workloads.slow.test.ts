// Everyday kubectl commands: their effects and their output, as with a real cluster.
import { afterAll, beforeAll, expect, it } from "vitest";
import { type KubectlBench, startKubectlBench } from "../testing/kubectl.ts";
import { crd, podbuggertool } from "./podbuggertool.ts";

let bench: KubectlBench;
beforeAll(async () => {
  bench = await startKubectlBench();
});
afterAll(() => bench.stop());

const deployment = (image: string): string => `
apiVersion: apps/v1
kind: Deployment
metadata: {name: payment}
spec:
  replicas: 1
  selector: {matchLabels: {app: payment}}
  template:
    metadata: {labels: {app: payment}}
    spec: {containers: [{name: payment, image: "${image}"}]}
`;
const lines = (text: string): string[] => text.trim().split("\n");
const words = (text: string): string[] => lines(text).map((line) => line.split(/ {2,}/).join(" | "));

it("a CRD: apply, wait, api-resources, explain, get, patch, edit, describe, delete", async () => {
  await bench.ok("apply -f -", crd);
  expect(await bench.ok("wait --for=condition=Established crd/podbuggertools.ualter.com")).toBe(
    "customresourcedefinition.apiextensions.k8s.io/podbuggertools.ualter.com condition met\n",
  );
  expect(words(await bench.ok("api-resources --api-group=ualter.com --no-headers"))).toEqual([
    "podbuggertools | pbt | ualter.com/v1beta1 | true | Podbuggertool",
  ]);
  const explained = await bench.ok("explain pbt.spec");
  expect(explained).toContain("DESCRIPTION:\n    What to install, and where.");
  expect(explained).toContain("  label\t<string> -required-\n    Label of the Pods");
  expect(await bench.refused("explain pbt.spec.nope")).toBe('error: field "nope" does not exist');

  expect(await bench.ok("apply -f -", podbuggertool("label: app=payment, image: busybox"))).toBe(
    "podbuggertool.ualter.com/a created\n",
  );
  expect(words(await bench.ok("get pbt"))).toEqual(["NAME | LABEL | IMAGE", "a | app=payment | busybox"]);
  expect(await bench.ok(`patch pbt a --type=merge -p '{"spec":{"image":"alpine"}}'`)).toBe(
    "podbuggertool.ualter.com/a patched\n",
  );
  expect(await bench.refused(`patch pbt a --type=merge -p '{"spec":{"label":null}}'`)).toBe(
    'The Podbuggertool "a" is invalid: spec.label: Required value',
  );
  const editor = await bench.file(
    "editor.sh",
    '#!/bin/sh\nsed -i "s/image: alpine/image: nginx/" "$1"\n',
    0o755,
  );
  expect((await bench.run("edit pbt a", { env: { KUBE_EDITOR: editor } })).stdout).toBe(
    "podbuggertool.ualter.com/a edited\n",
  );
  expect((await bench.run("edit pbt a", { env: { KUBE_EDITOR: "true" } })).stderr).toBe(
    "Edit cancelled, no changes made.\n",
  );
  expect(await bench.ok("get pbt a -o jsonpath={.spec.image}/{.metadata.generation}")).toBe("nginx/3");
  expect(await bench.ok("describe pbt a")).toMatch(
    /^Spec:\n {2}Image: {2}nginx\n {2}Label: {2}app=payment$/m,
  );
  expect(await bench.refused("wait pbt a --for=condition=Ready --timeout=100ms")).toBe(
    "error: timed out waiting for the condition on podbuggertools/a",
  );
  expect(await bench.ok("delete pbt a")).toBe(
    'podbuggertool.ualter.com "a" deleted from default namespace\n',
  );
});

it("a Deployment: create, rollout, scale, history, undo, expose, events, drain, delete", async () => {
  expect(await bench.ok("apply -f -", deployment("payment:1.0.0"))).toBe("deployment.apps/payment created\n");
  expect(lines(await bench.ok("rollout status deployment/payment --timeout=50s")).at(-1)).toBe(
    'deployment "payment" successfully rolled out',
  );
  expect(words(await bench.ok("get deployment payment --no-headers"))[0]).toMatch(
    /^payment \| 1\/1 \| 1 \| 1 \| \d+s$/,
  );
  const [pod = ""] = words(await bench.ok("get pods -l app=payment --no-headers -o wide"));
  expect(pod).toMatch(
    /^payment-\S+-\S{5} \| 1\/1 \| Running \| 0 \| \d+s \| 10\.244\.0\.\d+ \| dev-control-plane \|/,
  );
  expect(await bench.ok("logs deployment/payment")).toContain("payment 1.0.0 is listening on port 8080");
  expect(await bench.refused("exec deployment/payment -- /bin/sh")).toContain(
    'exec: "/bin/sh": stat /bin/sh: no such file or directory',
  );

  expect((await bench.run("diff -f -", { input: deployment("nginx:1.28") })).stdout).toContain(
    "+      - image: nginx:1.28",
  );
  expect(await bench.ok("set image deployment/payment payment=nginx:1.28")).toBe(
    "deployment.apps/payment image updated\n",
  );
  await bench.ok("rollout status deployment/payment --timeout=50s");
  expect(await bench.ok("rollout history deployment/payment")).toBe(
    "deployment.apps/payment \nREVISION  CHANGE-CAUSE\n1         <none>\n2         <none>\n\n",
  );
  expect(await bench.refused("rollout undo deployment/payment --to-revision=77")).toContain(
    "error: unable to find specified revision 77 in history",
  );
  expect(await bench.ok("rollout undo deployment/payment")).toBe("deployment.apps/payment rolled back\n");
  expect(await bench.ok("scale deployment payment --replicas=3")).toBe("deployment.apps/payment scaled\n");
  await bench.ok("rollout status deployment/payment --timeout=50s");
  const images =
    "get pods -l app=payment --field-selector status.phase=Running -o jsonpath={.items[*].spec.containers[*].image}";
  await expect.poll(() => bench.ok(images)).toBe("payment:1.0.0 payment:1.0.0 payment:1.0.0");

  expect(await bench.ok("expose deployment payment --port=80 --target-port=8080")).toBe(
    "service/payment exposed\n",
  );
  const rows = words(await bench.ok("events --for deployment/payment --no-headers"));
  expect(rows.join("\n")).toMatch(
    /Normal \| ScalingReplicaSet \| Deployment\/payment \| Scaled up replica set/,
  );
  expect(
    await bench.refused(`patch deployment payment -p '{"spec":{"selector":{"matchLabels":{"x":"y"}}}}'`),
  ).toContain("field is immutable");
  expect(await bench.ok("cordon dev-control-plane")).toBe("node/dev-control-plane cordoned\n");
  expect(words(await bench.ok("get nodes --no-headers"))[0]).toContain("| Ready,SchedulingDisabled |");
  expect(await bench.ok("uncordon dev-control-plane")).toBe("node/dev-control-plane uncordoned\n");

  expect(await bench.ok("delete deployment payment --cascade=foreground")).toBe(
    'deployment.apps "payment" deleted from default namespace\n',
  );
  expect((await bench.run("get rs,pods -l app=payment")).stderr).toBe(
    "No resources found in default namespace.\n",
  );
});

it("Pods: run, wait, get -o, exec with input and exit codes, cp, label, describe, a wrong image", async () => {
  expect(await bench.ok("run box --image=busybox -- sleep 1000")).toBe("pod/box created\n");
  expect(await bench.ok("wait pod/box --for=condition=Ready --timeout=50s")).toBe("pod/box condition met\n");
  expect((await bench.run("exec -i box -- cat", { input: "some input" })).stdout).toBe("some input");
  expect(await bench.run("exec box -- sh -c 'echo err >&2; exit 4'")).toEqual({
    code: 4,
    stdout: "",
    stderr: "err\ncommand terminated with exit code 4\n",
  });
  expect(await bench.refused("exec box -c nope -- ls")).toBe(
    "error: container nope is not valid for pod box out of: box",
  );
  await bench.file("hello.txt", "hello\n");
  await bench.ok("cp hello.txt box:/tmp/hello.txt");
  expect(await bench.ok("exec box -- cat /tmp/hello.txt")).toBe("hello\n");
  expect(await bench.ok("label pod box tier=tools")).toBe("pod/box labeled\n");
  expect(await bench.ok("get pods -l tier -o custom-columns=N:.metadata.name,P:.status.phase")).toBe(
    "N     P\nbox   Running\n",
  );
  expect(await bench.ok("get pod box -o yaml")).toMatch(/^apiVersion: v1\nkind: Pod\nmetadata:\n/);

  await bench.ok("run typo --image=doesnotexist:9");
  await bench.ok(
    "wait pod/typo --for=jsonpath={.status.containerStatuses[0].state.waiting.reason} --timeout=50s",
  );
  expect(await bench.ok("describe pod typo")).toMatch(
    /Warning +Failed .* Failed to pull image "doesnotexist:9"/,
  );
  expect(await bench.ok("delete pod box typo --grace-period=1")).toBe(
    'pod "box" deleted from default namespace\npod "typo" deleted from default namespace\n',
  );
});

it("get -w continues until it is ended, and shows changes", async () => {
  await bench.ok("create configmap watched --from-literal=a=b");
  // kubectl ends such a watch itself after --request-timeout. Until then an object changes repeatedly.
  let ended = false;
  const watching = bench.run("get configmap watched -w --output-watch-events --request-timeout=10s");
  void watching.finally(() => {
    ended = true;
  });
  for (let n = 0; !ended; n++) await bench.ok(`annotate configmap watched n=${n} --overwrite`);
  const rows = words((await watching).stdout).map((row) => row.split(" | ").slice(0, 3).join(" | "));
  expect(rows.slice(0, 3)).toEqual(["EVENT | NAME | DATA", "ADDED | watched | 1", "MODIFIED | watched | 1"]);
});

it("namespaces, tokens, access", async () => {
  expect(await bench.ok("create namespace shop")).toBe("namespace/shop created\n");
  expect(await bench.refused("create namespace shop")).toBe(
    'Error from server (AlreadyExists): namespaces "shop" already exists',
  );
  expect(await bench.ok("create serviceaccount builder -n shop")).toBe("serviceaccount/builder created\n");
  expect(lines(await bench.ok("create token builder -n shop"))[0]?.length).toBeGreaterThan(30);
  expect(await bench.ok("auth can-i create pods")).toBe("yes\n");
  expect(await bench.ok("create secret generic s --from-literal=p=tiger -n shop")).toBe("secret/s created\n");
  expect(await bench.ok("get secret s -n shop -o jsonpath={.data.p}")).toBe("dGlnZXI=");
  expect(await bench.ok("delete namespace shop")).toBe('namespace "shop" deleted\n');
  expect(await bench.refused("get namespace shop")).toBe(
    'Error from server (NotFound): namespaces "shop" not found',
  );
});

it("no request was answered by a failure of the server", () => {
  expect(bench.answered).toBeGreaterThan(100);
  expect(bench.failures).toEqual([]);
});
