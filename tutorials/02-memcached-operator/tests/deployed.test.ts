import { join } from "node:path";
import type { Deployment, KubeObject, NetworkPolicy, Service } from "@operator-path/client";
import { deployedRights, kustomize, printedColumns, startTestCluster } from "@operator-path/cluster/testing";
import { expect, test } from "vitest";
import { memcacheds } from "../memcached-operator/api/v1alpha1/zz_generated.resources.ts";

// This file repeats what `make deploy` gives the operator, so that no line of the manifests changes unnoticed.

const config = join(import.meta.dirname, "../memcached-operator/config");
const home = "memcached-operator-system";

test("each account has the permissions that it needs, and no others", async () => {
  await using cluster = await startTestCluster();
  const operator = { namespace: home, name: "memcached-operator-controller-manager" };
  const rights = await deployedRights(cluster.client, await kustomize(join(config, "default")), operator);
  const everywhere = [
    "apps/deployments create list update watch",
    "authentication.k8s.io/tokenreviews create",
    "authorization.k8s.io/subjectaccessreviews create",
    "cache.example.com/memcacheds list watch",
    "cache.example.com/memcacheds/finalizers update",
    "cache.example.com/memcacheds/status update",
    "pods list watch",
  ];
  expect(rights).toEqual({
    default: everywhere,
    [home]: [...everywhere, "coordination.k8s.io/leases create get update", "events create"].sort(),
    "memcached-operator-memcached-admin-role": [
      "cache.example.com/memcacheds create delete deletecollection get list patch update watch",
      "cache.example.com/memcacheds/status get",
    ],
    "memcached-operator-memcached-editor-role": [
      "cache.example.com/memcacheds create delete get list patch update watch",
      "cache.example.com/memcacheds/status get",
    ],
    "memcached-operator-memcached-viewer-role": [
      "cache.example.com/memcacheds get list watch",
      "cache.example.com/memcacheds/status get",
    ],
    "memcached-operator-metrics-reader": ["/metrics get"],
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
      limits: { cpu: "500m", memory: "256Mi" },
      requests: { cpu: "10m", memory: "96Mi" },
    },
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ["ALL"] },
      readOnlyRootFilesystem: true,
    },
  };
  expect(spec?.template.spec).toEqual({
    containers: [container],
    securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
    serviceAccountName: "memcached-operator-controller-manager",
    terminationGracePeriodSeconds: 35,
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

test("kubectl get shows the right field in each column", async () => {
  await using cluster = await startTestCluster({ crds: [join(config, "crd/bases")] });
  const object = {
    metadata: { namespace: "default", name: "one" },
    spec: { size: 2 },
    status: { nodes: ["three"] },
  };
  expect(await printedColumns(cluster.client, memcacheds, object)).toEqual({
    Name: "one",
    Desired: 2,
    Nodes: '["three"]',
  });
});

test("the definition accepts the smallest and largest values, and nothing beyond them", async () => {
  await using cluster = await startTestCluster({ crds: [join(config, "crd/bases")] });
  const objects = cluster.client.resource(memcacheds).namespace("default");
  const create = (spec: (typeof good)[number]) => objects.create({ metadata: { generateName: "a-" }, spec });
  const good = [{ size: 0 }];
  const bad = [{ size: -1 }];
  for (const spec of good) await create(spec);
  for (const spec of bad) await expect(create(spec)).rejects.toThrow("is invalid");
});
