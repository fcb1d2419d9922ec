// Permissions, as a real kubectl shows them. A kube-apiserver 1.36.3 causes the same output.
import { afterAll, beforeAll, expect, it } from "vitest";
import { type KubectlBench, startKubectlBench } from "../testing/kubectl.ts";

let bench: KubectlBench;
beforeAll(async () => {
  bench = await startKubectlBench();
  await bench.ok("create serviceaccount robot");
  await bench.ok("auth reconcile -f -", rights);
});
afterAll(() => bench.stop());

const rights = `
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: reader, namespace: default}
rules:
- {apiGroups: [""], resources: [pods, pods/log], verbs: [get, list]}
- {apiGroups: [""], resources: [configmaps], resourceNames: [one], verbs: [get]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: readers, namespace: default}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: reader}
subjects:
- {kind: User, name: jane, apiGroup: rbac.authorization.k8s.io}
- {kind: Group, name: devs, apiGroup: rbac.authorization.k8s.io}
- {kind: ServiceAccount, name: robot, namespace: default}
`;

it("auth reconcile reports missing permissions, and nothing the second time", async () => {
  const inOther = rights.replaceAll("namespace: default", "namespace: kube-public");
  const first = await bench.run("auth reconcile -f -", { input: inOther });
  expect(first).toEqual({
    code: 0,
    stdout:
      "role.rbac.authorization.k8s.io/reader reconciled\nrolebinding.rbac.authorization.k8s.io/readers reconciled\n",
    stderr: `	reconciliation required create
	missing rules added:
		{Verbs:[get list] APIGroups:[] Resources:[pods pods/log] ResourceNames:[] NonResourceURLs:[]}
		{Verbs:[get] APIGroups:[] Resources:[configmaps] ResourceNames:[one] NonResourceURLs:[]}
	reconciliation required create
	missing subjects added:
		{Kind:User APIGroup:rbac.authorization.k8s.io Name:jane Namespace:}
		{Kind:Group APIGroup:rbac.authorization.k8s.io Name:devs Namespace:}
		{Kind:ServiceAccount APIGroup: Name:robot Namespace:kube-public}
`,
  });
  expect(await bench.run("auth reconcile -f -", { input: inOther })).toEqual({ ...first, stderr: "" });
});

it("auth can-i --list shows all permissions of a user", async () => {
  expect(
    await bench.ok("auth can-i --list --as jane"),
  ).toBe(`Resources                                       Non-Resource URLs   Resource Names   Verbs
selfsubjectreviews.authentication.k8s.io        []                  []               [create]
selfsubjectaccessreviews.authorization.k8s.io   []                  []               [create]
selfsubjectrulesreviews.authorization.k8s.io    []                  []               [create]
pods/log                                        []                  []               [get list]
pods                                            []                  []               [get list]
                                                [/api/*]            []               [get]
                                                [/api]              []               [get]
                                                [/apis/*]           []               [get]
                                                [/apis]             []               [get]
                                                [/healthz]          []               [get]
                                                [/healthz]          []               [get]
                                                [/livez]            []               [get]
                                                [/livez]            []               [get]
                                                [/openapi/*]        []               [get]
                                                [/openapi]          []               [get]
                                                [/readyz]           []               [get]
                                                [/readyz]           []               [get]
                                                [/version/]         []               [get]
                                                [/version/]         []               [get]
                                                [/version]          []               [get]
                                                [/version]          []               [get]
configmaps                                      []                  [one]            [get]
`);
  const masters = await bench.ok("auth can-i --list --no-headers");
  expect(masters).toMatch(/^\*\.\* +\[\] +\[\] +\[\*\]\n +\[\*\] +\[\] +\[\*\]\n/);
  const account = await bench.ok("auth can-i --list --no-headers --as system:serviceaccount:default:robot");
  expect(account).toMatch(/\n +\[\/openid\/v1\/jwks\] +\[\] +\[get\]\n/);
});

it.each([
  ["list pods --as jane", true],
  ["delete pods --as jane", false],
  ["get configmaps/one --as joe --as-group devs", true],
  ["get configmaps --as joe --as-group devs", false],
  ["get pods --subresource=log --as jane", true],
  ["get pods -A --as jane", false],
  ["get /version --as jane", true],
  ["get /logs --as jane", false],
  ["list pods --as system:serviceaccount:default:robot", true],
  ["list pods --as system:serviceaccount:kube-public:robot", false],
  ["'*' '*'", true],
])("auth can-i %s", async (question, allowed) => {
  expect(await bench.run(`auth can-i ${question}`)).toEqual({
    code: allowed ? 0 : 1,
    stdout: allowed ? "yes\n" : "no\n",
    stderr: "",
  });
});

it("auth whoami names the user of a request", async () => {
  expect(
    await bench.ok("auth whoami --as jane --as-group devs --as-group ops --as-uid 7 --as-user-extra a/b=c"),
  ).toBe(`ATTRIBUTE    VALUE
Username     jane
UID          7
Groups       [devs ops system:authenticated]
Extra: a/b   [c]
`);
  const token = (await bench.ok("create token robot")).trim();
  const lines = (await bench.ok(`auth whoami --token ${token}`))
    .split("\n")
    .map((line) => line.split(/ {2,}/));
  expect(lines).toEqual([
    ["ATTRIBUTE", "VALUE"],
    ["Username", "system:serviceaccount:default:robot"],
    ["UID", expect.stringMatching(/^[-0-9a-f]{36}$/)],
    ["Groups", "[system:serviceaccounts system:serviceaccounts:default system:authenticated]"],
    ["Extra: authentication.kubernetes.io/credential-id", expect.stringMatching(/^\[JTI=[-0-9a-f]{36}\]$/)],
    [""],
  ]);
  expect(await bench.refused(`get nodes --token ${token}`)).toBe(
    'Error from server (Forbidden): nodes is forbidden: User "system:serviceaccount:default:robot" cannot list resource "nodes" in API group "" at the cluster scope',
  );
  expect(await bench.refused("get nodes --token nonsense")).toBe(
    "error: You must be logged in to the server (Unauthorized)",
  );
});

it.each([
  [
    "get secrets --as jane",
    'Forbidden): secrets is forbidden: User "jane" cannot list resource "secrets" in API group "" in the namespace "default"',
  ],
  [
    "delete pod x --as jane",
    'Forbidden): pods "x" is forbidden: User "jane" cannot delete resource "pods" in API group "" in the namespace "default"',
  ],
  ["get configmap one --as jane", 'NotFound): configmaps "one" not found'],
  [
    "get configmap two --as jane",
    'Forbidden): configmaps "two" is forbidden: User "jane" cannot get resource "configmaps" in API group "" in the namespace "default"',
  ],
])("%s", async (command, refusal) => {
  expect(await bench.refused(command)).toBe(`Error from server (${refusal}`);
});

it.each([
  [
    "create token robot --duration 5m",
    'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 300: may not specify a duration less than 10 minutes',
  ],
  ["create token missing", 'serviceaccounts "missing" not found'],
  ["create token robot --bound-object-kind Pod --bound-object-name nope", 'pods "nope" not found'],
])("%s", async (command, refusal) => {
  expect(await bench.refused(command)).toBe(`error: failed to create token: ${refusal}`);
});

it("no request was answered by a failure of the server", () => {
  expect(bench.failures).toEqual([]);
});
