import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { startTestCluster } from "@operator-path/cluster/testing";
import { execa } from "execa";
import { expect, test } from "vitest";
import { backupLine, helmLine, helmPlugin, openHybrid, writeFiles } from "../testing/hybrid.ts";
import { linkPackages, runProject } from "../testing/running-project.ts";

/** A chart with a role, a CRD and a hook. It also binds a role that it does not define. */
const guard: Readonly<Record<string, string>> = {
  "Chart.yaml": "apiVersion: v2\nname: guard\nversion: 0.1.0\n",
  "values.yaml": "level: 1\n",
  "crds/alarms.yaml": `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: alarms.guard.example.com }
spec:
  group: guard.example.com
  scope: Namespaced
  names: { kind: Alarm, plural: alarms, singular: alarm, listKind: AlarmList }
  versions:
  - name: v1
    served: true
    storage: true
    schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }
`,
  "templates/all.yaml": `apiVersion: v1
kind: ServiceAccount
metadata: { name: {{ .Release.Name }}, labels: { level: {{ .Values.level | quote }} } }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: { name: {{ .Release.Name }} }
rules:
- { apiGroups: [""], resources: [pods], verbs: [get, list] }
- { apiGroups: [guard.example.com], resources: [alarms], verbs: [get, patch], resourceNames: [fire, "{{ .Release.Name }}"] }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: {{ .Release.Name }} }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role, name: {{ .Release.Name }} }
subjects: [{ kind: ServiceAccount, name: {{ .Release.Name }} }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: {{ .Release.Name }}-view }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view }
subjects: [{ kind: ServiceAccount, name: {{ .Release.Name }} }]
---
apiVersion: v1
kind: ConfigMap
metadata: { name: {{ .Release.Name }}-before, annotations: { helm.sh/hook: "pre-install,pre-upgrade" } }
data: { level: {{ .Values.level | quote }} }
`,
};

test("the scaffolded permissions are enough to install, upgrade, repair and delete two Helm APIs and one in TypeScript", async () => {
  using folder = await openHybrid();
  await writeFiles(join(folder.cwd, "../guard"), guard);
  for (const line of [helmLine, `${helmPlugin} --helm-chart ../guard`, backupLine, "generate"]) {
    expect(await folder.run(line), line).toMatchObject({ code: 0, stderr: "" });
  }
  const { kubectl, log } = await runProject(folder);
  const read = (what: string, path: string) => kubectl("get", ...what.split(" "), `-o=jsonpath={${path}}`);

  await kubectl("apply", "-k", "config/samples");
  await expect
    .poll(() => read("deployment memcached-sample", ".status.readyReplicas").catch(() => ""))
    .toBe("1");
  await expect
    .poll(() => read("guard guard-sample", ".status.conditions[?(@.type=='Deployed')].status"))
    .toBe("True");
  expect(await read("rolebinding guard-sample-view", ".roleRef.name")).toBe("view");
  expect(await read("crd alarms.guard.example.com", ".spec.group")).toBe("guard.example.com");
  await expect.poll(log).toContain('"controllerKind":"MemcachedBackup"');
  // The rules also cover an object with another name than the sample.
  const another = {
    ...{ apiVersion: "charts.my.domain/v1alpha1", kind: "Guard" },
    ...{ metadata: { name: "another", namespace: "default" }, spec: {} },
  };
  await writeFiles(folder.cwd, { "another.json": JSON.stringify(another) });
  await kubectl("apply", "-f", "another.json");
  await expect
    .poll(() => read("guard another", ".status.conditions[?(@.type=='Deployed')].status"))
    .toBe("True");
  await kubectl("delete", "-f", "another.json", "--timeout=50s");

  // Upgrade both, and repair one without an upgrade.
  await kubectl("patch", "memcached", "memcached-sample", "--type=merge", '-p={"spec":{"replicaCount":3}}');
  await kubectl("patch", "guard", "guard-sample", "--type=merge", '-p={"spec":{"level":2}}');
  await expect.poll(() => read("deployment memcached-sample", ".status.readyReplicas")).toBe("3");
  await expect.poll(() => read("configmap guard-sample-before", ".data.level")).toBe("2");
  await kubectl("delete", "service", "memcached-sample");
  await expect.poll(() => read("service memcached-sample", ".spec.ports[0].port").catch(() => "")).toBe("80");

  // The operator removes its finalizers after it has uninstalled the releases.
  await kubectl("delete", "-k", "config/samples", "--timeout=50s");
  const left = async () => kubectl("get", "deployments,services,roles,rolebindings,secrets", "-o=name");
  await expect.poll(left).toBe("service/kubernetes");
  expect(log()).not.toMatch(/forbidden|"level":"error"/);
});

/** A chart that would make its installer an administrator. */
const grabber: Readonly<Record<string, string>> = {
  "Chart.yaml": "apiVersion: v2\nname: grabber\nversion: 0.1.0\n",
  "templates/all.yaml": `apiVersion: v1
kind: ServiceAccount
metadata: { name: {{ .Release.Name }} }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: {{ .Release.Name }} }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin }
subjects: [{ kind: ServiceAccount, name: {{ .Release.Name }}, namespace: {{ .Release.Namespace }} }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: { name: {{ .Release.Name }} }
rules:
- { apiGroups: [""], resources: [serviceaccounts/token, pods/exec], verbs: [create] }
- { apiGroups: ["*"], resources: ["*"], verbs: [get] }
`,
};

test("a chart that binds cluster-admin does not make the operator an administrator, and its objects report why", async () => {
  using folder = await openHybrid();
  await writeFiles(join(folder.cwd, "../grabber"), grabber);
  const created = await folder.run(`${helmPlugin} --helm-chart ../grabber`);
  expect(created.stdout).toContain(
    "Note: the chart binds the ClusterRole cluster-admin, but the operator may not, because",
  );
  expect(folder.read("config/rbac/helm_role.yaml")).toContain("\n#   - cluster-admin\n");
  await folder.run("generate");
  const { kubectl, asOperator } = await runProject(folder);
  const bind = ["create", "clusterrolebinding", "grab", "--clusterrole=cluster-admin", "--user=jane"];
  await expect(asOperator(...bind)).rejects.toThrow(/forbidden.*attempting to grant/s);
  const can = async (...what: string[]) =>
    (await asOperator("auth", "can-i", ...what).catch(({ stdout }) => String(stdout))).trim();
  for (const what of [
    ...[
      "create pods --subresource=exec -A",
      "create serviceaccounts --subresource=token -A",
      "impersonate users",
    ],
    ...["escalate clusterroles", "bind clusterroles", "get nodes", "* *"],
  ]) {
    expect(await can(...what.split(" ")), what).toMatch(/(^|\n)no$/);
  }
  // The operator has the permissions that it needs.
  expect(await can("create", "serviceaccounts", "-A")).toBe("yes");
  await kubectl("apply", "-k", "config/samples");
  const message = () =>
    kubectl("get", "grabber", "grabber-sample", "-o=jsonpath={.status.conditions[*].message}");
  await expect.poll(message).toContain("attempting to grant RBAC permissions not currently held");
  expect(await kubectl("get", "clusterrolebindings,roles", "-o=name")).not.toContain("grabber-sample");
});

/** A chart whose installation waits for a Job that never ends. */
const stuck: Readonly<Record<string, string>> = {
  "Chart.yaml": "apiVersion: v2\nname: stuck\nversion: 0.1.0\n",
  "values.yaml": "waits: true\n",
  "templates/all.yaml": `apiVersion: v1
kind: ConfigMap
metadata: { name: {{ .Release.Name }} }
---
{{- if .Values.waits }}
apiVersion: batch/v1
kind: Job
metadata: { name: {{ .Release.Name }}, annotations: { helm.sh/hook: pre-install } }
spec:
  template:
    spec: { restartPolicy: Never, nodeSelector: { no: such }, containers: [{ name: a, image: busybox }] }
{{- end }}
`,
};

test("releases that helm waits for do not delay others, up to the limit in main.ts", async () => {
  using folder = await openHybrid();
  await writeFiles(join(folder.cwd, "../stuck"), stuck);
  await folder.run(`${helmPlugin} --helm-chart ../stuck`);
  await folder.run("generate");
  const { kubectl } = await runProject(folder);
  const object = (name: string, spec: object) => ({
    ...{ apiVersion: "charts.my.domain/v1alpha1", kind: "Stuck" },
    ...{ metadata: { name, namespace: "default" }, spec },
  });
  const apply = async (...items: object[]) => {
    await writeFiles(folder.cwd, { "list.json": JSON.stringify({ apiVersion: "v1", kind: "List", items }) });
    await kubectl("apply", "-f", "list.json");
  };
  const waiting = ["first", "second", "third"];
  await apply(...waiting.map((name) => object(name, {})));
  await expect
    .poll(() => kubectl("get", "jobs", "-o=name"))
    .toBe(waiting.map((name) => `job.batch/${name}`).join("\n"));
  await apply(object("other", { waits: false }));
  await expect.poll(() => kubectl("get", "configmaps", "-o=name")).toContain("configmap/other");
  expect(await kubectl("get", "configmaps", "-o=name")).not.toContain("configmap/first");
});

test("a failed start reports the reason and leaves no kubeconfig behind", async () => {
  using folder = await openHybrid();
  await folder.run(helmLine);
  linkPackages(folder.cwd);
  // This cluster does not have the CRD.
  await using cluster = await startTestCluster();
  await writeFiles(folder.cwd, { admin: cluster.kubeConfig.exportConfig() });
  const temporary = join(folder.cwd, "../temporary");
  mkdirSync(temporary);
  const env = { ...folder.env, KUBECONFIG: join(folder.cwd, "admin"), TMPDIR: temporary };
  const { exitCode, all } = await execa(
    process.execPath,
    ["--conditions=@operator-path/source", "src/main.ts"],
    { ...{ cwd: folder.cwd, env, extendEnv: false, reject: false, all: true } },
  );
  expect(all).toContain("Using helm");
  expect(all).toContain("the cluster has no kind Memcached in cache.my.domain/v1alpha1: install its");
  expect(exitCode).toBe(1);
  expect(readdirSync(temporary)).toEqual([]);
});
