import { join } from "node:path";
import { expect, test } from "vitest";
import { backupLine, helmLine, helmPlugin, openHybrid, writeFiles } from "../testing/hybrid.ts";
import { runProject } from "../testing/running-project.ts";

/** A chart that gives rights away, with a definition of its own, a hook, and a role of somebody else's that it binds. */
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
- { apiGroups: [guard.example.com], resources: [alarms], verbs: [get, patch], resourceNames: [fire] }
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

test("with the rights that were scaffolded, both Helm APIs and the one in TypeScript work: installed, upgraded, repaired, gone", async () => {
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

  // An upgrade of each, and a repair without one.
  await kubectl("patch", "memcached", "memcached-sample", "--type=merge", '-p={"spec":{"replicaCount":3}}');
  await kubectl("patch", "guard", "guard-sample", "--type=merge", '-p={"spec":{"level":2}}');
  await expect.poll(() => read("deployment memcached-sample", ".status.readyReplicas")).toBe("3");
  await expect.poll(() => read("configmap guard-sample-before", ".data.level")).toBe("2");
  await kubectl("delete", "service", "memcached-sample");
  await expect.poll(() => read("service memcached-sample", ".spec.ports[0].port").catch(() => "")).toBe("80");

  // The operator's finalizers go, and with them what was installed; what helm keeps stays.
  await kubectl("delete", "-k", "config/samples", "--timeout=50s");
  const left = async () => kubectl("get", "deployments,services,roles,rolebindings,secrets", "-o=name");
  await expect.poll(left).toBe("service/kubernetes");
  expect(log()).not.toMatch(/forbidden|"level":"error"/);
});
