import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Deployment, KubeObject, NetworkPolicy, Pod, Service } from "@operator-path/client";
import { deployedRights, kustomize, printedColumns, startTestCluster } from "@operator-path/cluster/testing";
import { findTool } from "@operator-path/tools";
import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { memcachedBackups } from "../memcached-operator/api/v1/zz_generated.resources.ts";
import { labelsFor } from "../memcached-operator/controllers/backup.deployment.ts";

// These tests repeat what `make deploy` gives the operator, so that no line of the manifests changes unnoticed.

const config = join(import.meta.dirname, "../memcached-operator/config");
const home = "memcached-operator-system";

test("each account has the rights that it needs, and no other one", async () => {
  await using cluster = await startTestCluster();
  const operator = { namespace: home, name: "memcached-operator-controller-manager" };
  const rights = await deployedRights(cluster.client, await kustomize(join(config, "default")), operator);
  const everywhere = [
    "apps/deployments create delete get list patch update watch",
    "authentication.k8s.io/tokenreviews create",
    "authorization.k8s.io/subjectaccessreviews create",
    "autoscaling/horizontalpodautoscalers get list watch",
    "cache.my.domain/memcachedbackups list watch",
    "cache.my.domain/memcachedbackups/finalizers update",
    "cache.my.domain/memcachedbackups/status update",
    "cache.my.domain/memcacheds get list patch update watch",
    "cache.my.domain/memcacheds/finalizers update",
    "cache.my.domain/memcacheds/status get patch update",
    "events create patch",
    "namespaces list watch",
    "pods list watch",
    "secrets create delete get list update watch",
    "serviceaccounts create delete get list patch update watch",
    "services create delete get list patch update watch",
  ];
  expect(rights).toEqual({
    default: everywhere,
    [home]: [...everywhere, "coordination.k8s.io/leases create get update"].sort(),
    "memcached-operator-memcached-admin-role": [
      "cache.my.domain/memcacheds create delete deletecollection get list patch update watch",
      "cache.my.domain/memcacheds/status get",
    ],
    "memcached-operator-memcached-editor-role": [
      "cache.my.domain/memcacheds create delete get list patch update watch",
      "cache.my.domain/memcacheds/status get",
    ],
    "memcached-operator-memcached-viewer-role": [
      "cache.my.domain/memcacheds get list watch",
      "cache.my.domain/memcacheds/status get",
    ],
    "memcached-operator-memcachedbackup-admin-role": [
      "cache.my.domain/memcachedbackups create delete deletecollection get list patch update watch",
      "cache.my.domain/memcachedbackups/status get",
    ],
    "memcached-operator-memcachedbackup-editor-role": [
      "cache.my.domain/memcachedbackups create delete get list patch update watch",
      "cache.my.domain/memcachedbackups/status get",
    ],
    "memcached-operator-memcachedbackup-viewer-role": [
      "cache.my.domain/memcachedbackups get list watch",
      "cache.my.domain/memcachedbackups/status get",
    ],
    "memcached-operator-metrics-reader": ["/metrics get"],
  });
});

test("without the chart's half, the operator has the rights of the code alone", async () => {
  await using cluster = await startTestCluster();
  const operator = { namespace: home, name: "memcached-operator-controller-manager" };
  const manifests = await kustomize(join(config, "default"));
  const ofCode = manifests.filter(({ metadata }) => metadata?.name !== "memcached-operator-helm-rolebinding");
  expect(await deployedRights(cluster.client, ofCode, operator)).toMatchObject({
    default: [
      "apps/deployments create list update watch",
      "authentication.k8s.io/tokenreviews create",
      "authorization.k8s.io/subjectaccessreviews create",
      "cache.my.domain/memcachedbackups list watch",
      "cache.my.domain/memcachedbackups/finalizers update",
      "cache.my.domain/memcachedbackups/status update",
      "namespaces list watch",
      "pods list watch",
    ],
  });
});

test("the Pod of the operator keeps its limits, its probes and its hardening", async () => {
  const manifests = await kustomize(join(config, "default"));
  const { spec } = manifests.find(({ kind }) => kind === "Deployment") as Deployment;
  const container = {
    name: "manager",
    image: expect.any(String),
    args: [
      "/app/main.js",
      "--leader-elect",
      "--health-probe-bind-address=:8081",
      "--metrics-bind-address=:8443",
    ],
    env: [{ name: "NODE_OPTIONS", value: "--enable-source-maps --max-semi-space-size=4" }],
    ports: [
      { name: "health", containerPort: 8081, protocol: "TCP" },
      { name: "metrics", containerPort: 8443, protocol: "TCP" },
    ],
    livenessProbe: {
      httpGet: { path: "/healthz", port: "health" },
      initialDelaySeconds: 15,
      periodSeconds: 20,
    },
    readinessProbe: {
      httpGet: { path: "/readyz", port: "health" },
      initialDelaySeconds: 1,
      periodSeconds: 5,
    },
    resources: {
      limits: { cpu: "1", memory: "768Mi" },
      requests: { cpu: "10m", memory: "128Mi" },
    },
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ["ALL"] },
      readOnlyRootFilesystem: true,
    },
    // helm writes its cache there, and nowhere else.
    volumeMounts: [{ name: "tmp", mountPath: "/tmp" }],
  };
  expect(spec?.template.spec).toEqual({
    containers: [container],
    securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
    serviceAccountName: "memcached-operator-controller-manager",
    terminationGracePeriodSeconds: 35,
    volumes: [{ name: "tmp", emptyDir: { sizeLimit: "256Mi" } }],
  });
});

test("the operator's namespace, Service and network policy let in what they should, and nothing else", async () => {
  const manifests = await kustomize(join(config, "default"));
  const find = <T extends KubeObject>(kind: string) => manifests.find((object) => object.kind === kind) as T;
  const selector = { "app.kubernetes.io/name": "memcached-operator", "control-plane": "controller-manager" };
  expect(find("Namespace").metadata?.labels).toMatchObject({
    "pod-security.kubernetes.io/enforce": "restricted",
  });
  expect(find<Deployment>("Deployment").spec).toMatchObject({
    replicas: 1,
    selector: { matchLabels: selector },
  });
  expect(find<Service>("Service").spec).toEqual({
    ports: [{ name: "https", port: 8443, protocol: "TCP", targetPort: "metrics" }],
    selector,
  });
  expect(find<NetworkPolicy>("NetworkPolicy").spec).toEqual({
    podSelector: { matchLabels: selector },
    policyTypes: ["Ingress"],
    ingress: [
      {
        from: [{ namespaceSelector: { matchLabels: { metrics: "enabled" } } }],
        ports: [{ port: 8443, protocol: "TCP" }],
      },
    ],
  });
});

/** The objects of a release `one` of the chart, as helm renders them. */
async function renderChart(...options: string[]): Promise<KubeObject[]> {
  const { path } = await findTool("helm");
  const chart = join(config, "../helm-charts/memcached");
  const { stdout } = await promisify(execFile)(path, ["template", "one", chart, ...options]);
  return parseAllDocuments(stdout).map((document) => document.toJS() as KubeObject);
}

test("the chart's Pod keeps its probes, its limits and its hardening", async () => {
  const rendered = await renderChart("--set=resources.limits.memory=64Mi");
  const { spec } = rendered.find(({ kind }) => kind === "Deployment") as Deployment;
  const probe = { tcpSocket: { port: "memcached" } };
  expect(spec?.template.spec).toEqual({
    containers: [
      {
        name: "memcached",
        image: "memcached:1.6.39-alpine",
        imagePullPolicy: "IfNotPresent",
        ports: [{ name: "memcached", containerPort: 11211, protocol: "TCP" }],
        livenessProbe: probe,
        readinessProbe: probe,
        resources: { limits: { memory: "64Mi" } },
        securityContext: {
          allowPrivilegeEscalation: false,
          capabilities: { drop: ["ALL"] },
          readOnlyRootFilesystem: true,
        },
      },
    ],
    securityContext: { runAsNonRoot: true, runAsUser: 11211, seccompProfile: { type: "RuntimeDefault" } },
    serviceAccountName: "one-memcached",
  });
});

test("the sample has the chart's values, but its own replicas and no hardening", async () => {
  const read = async (path: string) => parse(await readFile(join(config, path), "utf8"));
  const { spec } = await read("samples/cache_v1alpha1_memcached.yaml");
  const values = await read("../helm-charts/memcached/values.yaml");
  expect(values.replicaCount).toBe(1);
  expect(spec).toEqual({ ...values, replicaCount: 3, podSecurityContext: {}, securityContext: {} });
});

test("the chart's Service selects the Pods of its release; those of a MemcachedBackup have none of its labels", async () => {
  const rendered = await renderChart();
  const { spec } = rendered.find(({ kind }) => kind === "Deployment") as Deployment;
  const { selector } = (rendered.find(({ kind }) => kind === "Service") as Service).spec ?? {};
  expect(spec?.template.metadata?.labels).toMatchObject(selector ?? { no: "selector" });
  const ofBackup = Object.entries(labelsFor("one"));
  expect(ofBackup.filter(([key, value]) => selector?.[key] === value)).toEqual([]);
});

test("helm test connects to the chart's Service", async () => {
  const rendered = await renderChart();
  const { metadata, spec } = rendered.find(({ kind }) => kind === "Service") as Service;
  const [container] = (rendered.find(({ kind }) => kind === "Pod") as Pod).spec?.containers ?? [];
  expect(container).toMatchObject({
    command: ["nc"],
    args: ["-z", metadata?.name, `${spec?.ports?.[0]?.port}`],
  });
});

test("kubectl get shows the right field in each column", async () => {
  await using cluster = await startTestCluster({ crds: [join(config, "crd/bases")] });
  const object = {
    metadata: { namespace: "default", name: "one" },
    spec: { size: 2 },
    status: { nodes: ["three"] },
  };
  expect(await printedColumns(cluster.client, memcachedBackups, object)).toEqual({
    Name: "one",
    Size: 2,
    Nodes: '["three"]',
  });
});

test("the definition accepts the smallest and largest values, and nothing beyond them", async () => {
  await using cluster = await startTestCluster({ crds: [join(config, "crd/bases")] });
  const objects = cluster.client.resource(memcachedBackups).namespace("default");
  const create = (spec: (typeof good)[number]) => objects.create({ metadata: { generateName: "a-" }, spec });
  const good = [{ size: 0 }];
  const bad = [{ size: -1 }];
  for (const spec of good) await create(spec);
  for (const spec of bad) await expect(create(spec)).rejects.toThrow("is invalid");
});
