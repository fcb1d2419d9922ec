import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  clusterRoleBindings,
  clusterRoles,
  configMaps,
  createClient,
  customResourceDefinitions,
  events,
  namespaces,
  roleBindings,
  serviceAccounts,
} from "@operator-path/client";
import {
  type EmbeddedCluster,
  type ExistingCluster,
  openExistingCluster,
  startEmbeddedCluster,
} from "@operator-path/cluster";
import { serviceAccountKubeConfig } from "@operator-path/cluster/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { temporaryPage } from "../testing/temporary-page.ts";

let somebodys: EmbeddedCluster;
let cluster: ExistingCluster;
beforeAll(async () => {
  somebodys = await startEmbeddedCluster({ name: "theirs" });
  cluster = await openExistingCluster({
    context: "operator-path",
    consent: { yes: true, say: () => undefined },
    env: { KUBECONFIG: somebodys.kubeconfigPath, PATH: process.env.PATH },
  });
});
afterAll(async () => {
  await cluster?.stop();
  await somebodys?.stop();
});

const creates = ["customresourcedefinitions/toys.example.com", "clusterroles/toys-*", "namespaces/toys"];
const front = (more = "") =>
  `requires: [kubectl]\nproviders: [embedded, existing]\ncreates: [${creates.join(", ")}]\n${more}`;
const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: toys.example.com
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

/** What is there of the page's, as the cluster's owner sees it. */
async function thereNow(): Promise<string[]> {
  const client = createClient(somebodys.kubeConfig);
  try {
    const lists = await Promise.all([
      client.resource(namespaces).list(),
      client.resource(customResourceDefinitions).list(),
      client.resource(clusterRoles).list(),
      client.resource(configMaps).namespace(cluster.namespace).list(),
      client.resource(events).namespace(cluster.namespace).list(),
    ]);
    return lists
      .flatMap(({ items }) => items.map(({ metadata }) => metadata?.name ?? ""))
      .filter((name) => /toy|left|marker/.test(name));
  } finally {
    await client.close();
  }
}

test("the page's default is a namespace of its own, in commands and in what they print", async () => {
  using tutorial = temporaryPage(
    `## S
~~~console
$ kubectl create configmap marker
configmap/marker created
$ kubectl get configmap marker -n default -o name
configmap/marker
$ kubectl get --raw /api/v1/namespaces/default/configmaps/marker | grep -o '"namespace":"[^"]*"'
"namespace":"default"
$ kubectl apply -f - <<END
apiVersion: v1
kind: ConfigMap
metadata:
  name: marker-2
  namespace: default
END
configmap/marker-2 created
$ kubectl get pods
No resources found in default namespace.
$ kubectl config current-context
operator-path
$ echo the default of marker.default.svc
the default of marker.default.svc
~~~
~~~console provider=embedded,kind
$ false
~~~
## Clean up
~~~console
$ kubectl delete configmap marker marker-2
configmap "marker" deleted from default namespace
configmap "marker-2" deleted from default namespace
~~~
`,
    { front: front() },
  );
  const report = await tutorial.run({ cluster });
  expect(report.difference).toBeUndefined();
  expect(report).toMatchObject({ passed: true, provider: "existing", leaks: [] });
  expect(report.steps[0]?.skipped).toEqual([expect.stringMatching(/only on embedded, kind$/)]);
  expect(await thereNow()).toEqual([]);
});

test("after a failure nothing of the page is left, whatever it was, and what was there is as it was", async () => {
  const client = createClient(somebodys.kubeConfig);
  await client
    .resource(namespaces)
    .create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "family" } });
  await client.close();
  using tutorial = temporaryPage(
    `## S
~~~console
$ kubectl create -f "$TUTORIAL/crd.yaml"
...
$ kubectl wait --for condition=established crd/toys.example.com
...
$ kubectl create namespace toys
...
$ kubectl create clusterrole toys-viewer --verb=get --resource=pods
...
$ kubectl create configmap left -n toys
...
$ kubectl create configmap left
...
$ kubectl create -f - <<END
apiVersion: example.com/v1
kind: Toy
metadata: { name: held, finalizers: [example.com/operator-that-is-gone] }
END
...
$ false
~~~
`,
    { front: front(), files: { "crd.yaml": crd } },
  );
  const report = await tutorial.run({ cluster, limits: { finalizers: 500 } });
  expect(report).toMatchObject({ passed: false, leaks: [], difference: { command: "false" } });
  expect(await thereNow()).toEqual([]);
  const after = createClient(somebodys.kubeConfig);
  expect((await after.resource(namespaces).get("family")).metadata?.name).toBe("family");
  await after.close();
});

test.each([
  [
    "that claims nothing",
    "requires: [kubectl]\n",
    "true",
    "the page does not say that it can be run on an existing cluster",
  ],
  ["whose file names the namespace", front(), "true", ": a file names the namespace default"],
])("a page %s is skipped, with the reason", async (_, head, command, reason) => {
  using tutorial = temporaryPage(
    `## S\n~~~console\n$ ${command}\n~~~\n\n[a.yaml](a.yaml)\n~~~yaml file\nmetadata:\n  namespace: default\n~~~\n`,
    {
      front: head,
    },
  );
  const report = await tutorial.run({ cluster });
  expect(report).toMatchObject({ passed: false, steps: [{ status: "not run" }] });
  expect(report.skipped).toContain(reason);
});

test("a page that builds an image is skipped where nothing brings images into the cluster", async () => {
  const { images: _, ...without } = cluster;
  for (const [body, image] of [
    ["$ make docker-build", "the image that `make docker-build` makes"],
    ["$ true", "the image toy:1"],
  ]) {
    using tutorial = temporaryPage(`## S\n~~~console\n${body}\n~~~\n`, {
      front: front(body === "$ true" ? "images: [busybox, toy:1]\n" : ""),
      files: { "toy/Dockerfile": "FROM scratch\n" },
    });
    const report = await tutorial.run({ cluster: without });
    expect(report.skipped).toBe(
      `it needs ${image}, and nothing brings images from this machine into that cluster`,
    );
  }
});

test("whoever may do no more than the page needs can run it, in a cluster of which they see nothing else", async () => {
  const client = createClient(somebodys.kubeConfig);
  const { namespace } = cluster;
  const account = { namespace, name: "learner" };
  await client
    .resource(serviceAccounts)
    .namespace(namespace)
    .create({ apiVersion: "v1", kind: "ServiceAccount", metadata: { name: account.name } });
  const kubeConfig = await serviceAccountKubeConfig({ client, kubeConfig: somebodys.kubeConfig }, account);
  const apiVersion = "rbac.authorization.k8s.io/v1";
  const subjects = [{ kind: "ServiceAccount", ...account }];
  const api = { apiGroup: "rbac.authorization.k8s.io" };
  kubeConfig.contexts = kubeConfig.contexts.map((context) => ({ ...context, namespace }));
  await client.resource(clusterRoles).create({
    ...{ apiVersion, kind: "ClusterRole", metadata: { name: "learner" } },
    rules: [{ apiGroups: [""], resources: ["namespaces"], verbs: ["list", "create", "delete"] }],
  });
  await client.resource(clusterRoleBindings).create({
    ...{ apiVersion, kind: "ClusterRoleBinding", metadata: { name: "learner" }, subjects },
    roleRef: { ...api, kind: "ClusterRole", name: "learner" },
  });
  await client.resource(clusterRoles).create({
    ...{ apiVersion, kind: "ClusterRole", metadata: { name: "learner-there" } },
    rules: [{ apiGroups: [""], resources: ["configmaps"], verbs: ["list", "create", "delete"] }],
  });
  await client
    .resource(roleBindings)
    .namespace(namespace)
    .create({
      ...{ apiVersion, kind: "RoleBinding", metadata: { name: "learner" }, subjects },
      roleRef: { ...api, kind: "ClusterRole", name: "learner-there" },
    });
  using tutorial = temporaryPage(
    "## S\n~~~console\n$ kubectl create configmap left\n...\n$ kubectl create namespace toys\n...\n~~~\n",
    {
      front: "requires: [kubectl]\nproviders: [existing]\ncreates: [namespaces/toys]\n",
      files: { config: "" },
    },
  );
  const kubeconfigPath = join(tutorial.folder, "config");
  writeFileSync(kubeconfigPath, kubeConfig.exportConfig());
  const report = await tutorial.run({
    cluster: { ...cluster, kubeConfig, kubeconfigPath },
    limits: { removal: 200 },
  });
  expect(report.difference).toBeUndefined();
  expect(report.leaks).toEqual([
    expect.stringMatching(/^in the cluster: configmaps .*left$/),
    "in the cluster: namespaces toys",
  ]);
  expect(await thereNow()).toEqual([]);
  await client.resource(roleBindings).namespace(namespace).delete("learner");
  await client.resource(serviceAccounts).namespace(namespace).delete("learner");
  await client.close();
});

test("what is there already is neither changed nor cleaned up: the page does not begin", async () => {
  const client = createClient(somebodys.kubeConfig);
  const role = {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRole",
    metadata: { name: "toys-x" },
  };
  await client.resource(clusterRoles).create(role);
  const mine = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "left" } };
  await client.resource(configMaps).namespace("default").create(mine);
  using tutorial = temporaryPage(
    "## S\n~~~console\n$ kubectl create configmap marker\n...\n~~~\n## Clean up\n~~~console\n$ kubectl delete configmap left\n...\n~~~\n",
    { front: front() },
  );
  // As a kind cluster that is reused: its namespace is the person's own.
  const { namespace: _, ...shared } = cluster;
  const kubeconfigPath = somebodys.kubeconfigPath;
  const report = await tutorial.run({
    cluster: { ...shared, kubeconfigPath, kubeConfig: somebodys.kubeConfig, provider: "kind" },
  });
  expect(report.difference?.message).toContain(
    "nothing was touched: clusterroles toys-x, configmaps default/left. Delete it",
  );
  expect(report.steps.map(({ status }) => status)).toEqual(["not run", "not run"]);
  const { items } = await client.resource(configMaps).namespace("default").list();
  expect(items.map(({ metadata }) => metadata?.name)).toEqual(["kube-root-ca.crt", "left"]);
  await client.resource(configMaps).namespace("default").delete("left");
  await client.resource(clusterRoles).delete("toys-x");
  await client.close();
});

test("a page for existing clusters has to say what it makes outside of its namespace", async () => {
  using tutorial = temporaryPage(
    "## S\n~~~console\n$ kubectl create clusterrole doll --verb=get --resource=pods\n...\n$ kubectl create configmap doll -n kube-public\n...\n~~~\n" +
      "## Clean up\n~~~console\n$ kubectl delete clusterrole doll\n...\n$ kubectl delete configmap doll -n kube-public\n...\n~~~\n",
    { front: front() },
  );
  const report = await tutorial.run();
  expect(report.difference?.message).toContain("`creates: [clusterroles/doll, configmaps kube-public/doll]`");
});
