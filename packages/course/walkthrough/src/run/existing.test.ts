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

let sharedCluster: EmbeddedCluster;
let cluster: ExistingCluster;
beforeAll(async () => {
  sharedCluster = await startEmbeddedCluster({ name: "theirs" });
  cluster = await openExistingCluster({
    context: "operator-path",
    consent: { yes: true, say: () => undefined },
    env: { KUBECONFIG: sharedCluster.kubeconfigPath, PATH: process.env.PATH },
  });
});
afterAll(async () => {
  await cluster?.stop();
  await sharedCluster?.stop();
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

/** Returns the names of the page's objects, as the owner of the cluster sees them. */
async function pageObjects(): Promise<string[]> {
  const client = createClient(sharedCluster.kubeConfig);
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

test("maps the namespace default of a page to its own, in commands and output", async () => {
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
  expect(await pageObjects()).toEqual([]);
});

test("removes all objects of a failed page, and keeps those of others", async () => {
  const client = createClient(sharedCluster.kubeConfig);
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
metadata: { name: finalized, finalizers: [example.com/deleted-operator] }
END
...
$ false
~~~
`,
    { front: front(), files: { "crd.yaml": crd } },
  );
  const report = await tutorial.run({ cluster, limits: { finalizers: 500 } });
  expect(report).toMatchObject({ passed: false, leaks: [], difference: { command: "false" } });
  expect(await pageObjects()).toEqual([]);
  const after = createClient(sharedCluster.kubeConfig);
  expect((await after.resource(namespaces).get("family")).metadata?.name).toBe("family");
  await after.close();
});

test.each([
  ["that claims nothing", "requires: [kubectl]\n", "true", "the page is not for existing clusters"],
  ["whose file names the namespace", front(), "true", ": a file names the namespace default"],
])("skips a page %s, with the reason", async (_, head, command, reason) => {
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

test("skips a page that builds an image if the cluster cannot get images of this machine", async () => {
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
    expect(report.skipped).toBe(`it needs ${image}, but that cluster cannot get images from this machine`);
  }
});

test("runs a page with only the permissions that it needs", async () => {
  const client = createClient(sharedCluster.kubeConfig);
  const { namespace } = cluster;
  const account = { namespace, name: "learner" };
  await client
    .resource(serviceAccounts)
    .namespace(namespace)
    .create({ apiVersion: "v1", kind: "ServiceAccount", metadata: { name: account.name } });
  const kubeConfig = await serviceAccountKubeConfig(
    { client, kubeConfig: sharedCluster.kubeConfig },
    account,
  );
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
  expect(await pageObjects()).toEqual([]);
  await client.resource(roleBindings).namespace(namespace).delete("learner");
  await client.resource(serviceAccounts).namespace(namespace).delete("learner");
  await client.close();
});

test("does not begin a page whose objects exist already", async () => {
  const client = createClient(sharedCluster.kubeConfig);
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
  // Like a reused kind cluster, whose namespace default belongs to a person.
  const { namespace: _, ...shared } = cluster;
  const kubeconfigPath = sharedCluster.kubeconfigPath;
  const report = await tutorial.run({
    cluster: { ...shared, kubeconfigPath, kubeConfig: sharedCluster.kubeConfig, provider: "kind" },
  });
  expect(report.difference?.message).toContain(
    "objects that look like the page's own: clusterroles toys-x, configmaps default/left. The run changed nothing",
  );
  expect(report.steps.map(({ status }) => status)).toEqual(["not run", "not run"]);
  const { items } = await client.resource(configMaps).namespace("default").list();
  expect(items.map(({ metadata }) => metadata?.name)).toEqual(["kube-root-ca.crt", "left"]);
  await client.resource(configMaps).namespace("default").delete("left");
  await client.resource(clusterRoles).delete("toys-x");
  await client.close();
});

test("rejects a page for existing clusters that does not list what it creates", async () => {
  using tutorial = temporaryPage(
    "## S\n~~~console\n$ kubectl create clusterrole doll --verb=get --resource=pods\n...\n$ kubectl create configmap doll -n kube-public\n...\n~~~\n" +
      "## Clean up\n~~~console\n$ kubectl delete clusterrole doll\n...\n$ kubectl delete configmap doll -n kube-public\n...\n~~~\n",
    { front: front() },
  );
  const report = await tutorial.run();
  expect(report.difference?.message).toContain("`creates: [clusterroles/doll, configmaps kube-public/doll]`");
});
