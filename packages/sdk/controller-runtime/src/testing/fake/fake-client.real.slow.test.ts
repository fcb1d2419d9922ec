import { ApiError, type Client as Connection, type KubeObject, type Resource } from "@operator-path/client";
import { startTestCluster, type TestCluster } from "@operator-path/cluster/testing";
import { findControlPlane } from "@operator-path/tools";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { builtInResources } from "../../client/built-in.ts";
import type { Client } from "../../client/client.ts";
import { createObjectClient } from "../../client/create-client.ts";
import { createScheme } from "../../client/scheme.ts";
import { memcachedDefinition, memcacheds } from "../../controller/testing/memcached.ts";
import { createFakeClient } from "./fake-client.ts";
import { hasBuiltInStatus, isBuiltIn } from "./kinds.ts";
import { applyScript, playApplyScript } from "./testing/apply-script.ts";

const programs = await findControlPlane({ controllerManager: false, mayBuild: false }).catch(() => undefined);

describe.skipIf(!programs)("compared with a real kube-apiserver", () => {
  let cluster: TestCluster | undefined;
  let connection: Connection;
  beforeAll(async () => {
    cluster = await startTestCluster({ provider: "envtest", crds: [memcachedDefinition] });
    connection = cluster.client;
  });
  afterAll(() => cluster?.stop());

  async function discover<T>(path: string): Promise<T> {
    const { body } = await connection.request({ method: "GET", path });
    return JSON.parse(Buffer.from(body).toString()) as T;
  }

  test("has the same kinds with a status", async () => {
    const { groups } = await discover<{ groups: { name: string; preferredVersion: { version: string } }[] }>(
      "/apis",
    );
    const paths = [["", "/api/v1"]].concat(
      groups.map(({ name, preferredVersion: { version } }) => [name, `/apis/${name}/${version}`]),
    );
    const different: string[] = [];
    for (const [group = "", path = ""] of paths) {
      expect(isBuiltIn({ group, plural: "" })).toBe(group !== memcacheds.group);
      if (group === memcacheds.group) continue;
      const { resources } = await discover<{ resources: { name: string }[] }>(path);
      const names = resources.map(({ name }) => name);
      for (const plural of names.filter((name) => !name.includes("/"))) {
        if (names.includes(`${plural}/status`) === hasBuiltInStatus({ group, plural })) continue;
        different.push(`${group}/${plural}`);
      }
    }
    expect(different).toEqual([]);
  });

  test("has the same result of applies by several managers", async () => {
    const client = createObjectClient(connection);
    let run = 0;
    await fc.assert(
      fc.asyncProperty(applyScript, async (script) => {
        const namespace = `apply-${run++}`;
        await client.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
        const real = await playApplyScript(client, namespace, script);
        expect(await playApplyScript(createFakeClient(), namespace, script)).toEqual(real);
      }),
      { numRuns: 40, seed: 1 },
    );
  });

  test("handles generations, unconditional updates and updates of missing objects alike", async () => {
    // The ServiceAccount of Pods.
    await createObjectClient(connection).create({
      ...{ apiVersion: "v1", kind: "ServiceAccount", metadata: { namespace: "default", name: "default" } },
    });
    const resources = [...builtInResources, memcacheds];
    const [real, fake] = [
      createObjectClient(connection, { scheme: createScheme(memcacheds) }),
      createFakeClient({ scheme: createScheme(memcacheds) }),
    ];
    const [asked, answered]: object[][] = [[], []];
    for (const object of objects) {
      const resource = resources.find(({ kind }) => kind === object.kind);
      if (!resource) throw new Error(`no resource of ${object.kind}`);
      asked?.push({ kind: object.kind, ...(await facts(real, object, resource)) });
      answered?.push({ kind: object.kind, ...(await facts(fake, object, resource)) });
    }
    expect(answered).toEqual(asked);
  });
});

/** The compared part of an object. */
async function facts(client: Client, object: KubeObject, resource: Resource) {
  const reasonOf = (error: unknown) => {
    if (error instanceof ApiError) return error.reason;
    throw error;
  };
  const created = await client.create(object);
  const { resourceVersion: _, ...metadata } = created.metadata ?? {};
  const labelled = { ...created, metadata: { ...metadata, labels: { a: "b" } } };
  const missing = { ...object, metadata: { ...object.metadata, name: "missing" } };
  const dry = await client.create(
    { ...object, metadata: { ...object.metadata, name: "dry" } },
    { dryRun: true },
  );
  return {
    generation: metadata.generation,
    unconditional: await client.update(labelled).then(() => "updated", reasonOf),
    missing: await client.update(missing).then(() => "created", reasonOf),
    dryVersion: dry.metadata?.resourceVersion,
    namespace: resource.namespaced,
  };
}

const template = {
  metadata: { labels: { a: "b" } },
  spec: { containers: [{ name: "a", image: "a" }], restartPolicy: "Always" },
};
const once = { ...template, spec: { ...template.spec, restartPolicy: "Never" } };
const selector = { matchLabels: { a: "b" } };
const storage = { accessModes: ["ReadWriteOnce"] };
const rbac = "rbac.authorization.k8s.io";

const objects = Object.entries<[string, object][]>({
  "v1 namespaced": [
    ["ConfigMap", {}],
    ["Secret", {}],
    ["ServiceAccount", {}],
    ["Event", { involvedObject: { namespace: "default" } }],
    ["Service", { spec: { ports: [{ port: 1 }], selector: { a: "b" } } }],
    ["Pod", { spec: { ...template.spec, automountServiceAccountToken: false } }],
    ["ResourceQuota", { spec: {} }],
    ["PersistentVolumeClaim", { spec: { ...storage, resources: { requests: { storage: "1Gi" } } } }],
  ],
  v1: [
    ["Namespace", {}],
    ["Node", {}],
    ["PersistentVolume", { spec: { ...storage, capacity: { storage: "1Gi" }, hostPath: { path: "/a" } } }],
  ],
  "apps/v1 namespaced": [
    ["Deployment", { spec: { selector, template } }],
    ["ReplicaSet", { spec: { selector, template } }],
    ["StatefulSet", { spec: { selector, template } }],
    ["DaemonSet", { spec: { selector, template } }],
  ],
  "batch/v1 namespaced": [
    ["Job", { spec: { template: once } }],
    ["CronJob", { spec: { schedule: "* * * * *", jobTemplate: { spec: { template: once } } } }],
  ],
  "policy/v1 namespaced": [["PodDisruptionBudget", { spec: { maxUnavailable: 1, selector } }]],
  "autoscaling/v2 namespaced": [
    [
      "HorizontalPodAutoscaler",
      { spec: { maxReplicas: 2, scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "a" } } },
    ],
  ],
  "coordination.k8s.io/v1 namespaced": [["Lease", { spec: {} }]],
  "discovery.k8s.io/v1 namespaced": [["EndpointSlice", { addressType: "IPv4", endpoints: [] }]],
  "networking.k8s.io/v1 namespaced": [
    ["NetworkPolicy", { spec: { podSelector: {} } }],
    ["Ingress", { spec: { defaultBackend: { service: { name: "a", port: { number: 1 } } } } }],
  ],
  "storage.k8s.io/v1": [["StorageClass", { provisioner: "a/b" }]],
  [`${rbac}/v1 namespaced`]: [
    ["Role", { rules: [] }],
    ["RoleBinding", { roleRef: { apiGroup: rbac, kind: "Role", name: "a" } }],
  ],
  [`${rbac}/v1`]: [
    ["ClusterRole", { rules: [] }],
    ["ClusterRoleBinding", { roleRef: { apiGroup: rbac, kind: "ClusterRole", name: "a" } }],
  ],
  "admissionregistration.k8s.io/v1": [
    ["ValidatingWebhookConfiguration", { webhooks: [] }],
    ["MutatingWebhookConfiguration", { webhooks: [] }],
  ],
  "cache.example.com/v1alpha1 namespaced": [["Memcached", { spec: {} }]],
}).flatMap(([where, kinds]) => {
  const [apiVersion = "", isNamespaced] = where.split(" ");
  const metadata = { name: "a", ...(isNamespaced ? { namespace: "default" } : {}) };
  return kinds.map(([kind, rest]): KubeObject => ({ apiVersion, kind, metadata, ...rest }));
});
