import { join } from "node:path";
import type { Deployment, KubeObject, NetworkPolicy, Service } from "@operator-path/client";
import { deployedRights, kustomize, printedColumns, startTestCluster } from "@operator-path/cluster/testing";
import { expect, test } from "vitest";
import { ovhNginxes } from "../nginx-operator/api/v1/zz_generated.resources.ts";

// Repeats what `make deploy` gives the operator, so that no line of the manifests changes unnoticed.

const config = join(import.meta.dirname, "../nginx-operator/config");
const home = "nginx-operator-system";

test("each account has the permissions that it needs, and no other one", async () => {
  await using cluster = await startTestCluster();
  const operator = { namespace: home, name: "nginx-operator-controller-manager" };
  const rights = await deployedRights(cluster.client, await kustomize(join(config, "default")), operator);
  const everywhere = [
    "apps/deployments create list update watch",
    "authentication.k8s.io/tokenreviews create",
    "authorization.k8s.io/subjectaccessreviews create",
    "services create list update watch",
    "tutorials.ovhcloud.com/ovhnginxes list update watch",
    "tutorials.ovhcloud.com/ovhnginxes/finalizers update",
    "tutorials.ovhcloud.com/ovhnginxes/status update",
  ];
  expect(rights).toEqual({
    default: everywhere,
    [home]: [...everywhere, "coordination.k8s.io/leases create get update", "events create"].sort(),
    "nginx-operator-metrics-reader": ["/metrics get"],
    "nginx-operator-ovhnginx-admin-role": [
      "tutorials.ovhcloud.com/ovhnginxes create delete deletecollection get list patch update watch",
      "tutorials.ovhcloud.com/ovhnginxes/status get",
    ],
    "nginx-operator-ovhnginx-editor-role": [
      "tutorials.ovhcloud.com/ovhnginxes create delete get list patch update watch",
      "tutorials.ovhcloud.com/ovhnginxes/status get",
    ],
    "nginx-operator-ovhnginx-viewer-role": [
      "tutorials.ovhcloud.com/ovhnginxes get list watch",
      "tutorials.ovhcloud.com/ovhnginxes/status get",
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
    serviceAccountName: "nginx-operator-controller-manager",
    terminationGracePeriodSeconds: 35,
  });
});

test("the operator's namespace, Service and network policy let in what they should, and nothing else", async () => {
  const manifests = await kustomize(join(config, "default"));
  const find = <T extends KubeObject>(kind: string) => manifests.find((object) => object.kind === kind) as T;
  const selector = { "app.kubernetes.io/name": "nginx-operator", "control-plane": "controller-manager" };
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
    spec: { replicaCount: 2, port: 3 },
    status: { readyReplicas: 4, address: "five" },
  };
  expect(await printedColumns(cluster.client, ovhNginxes, object)).toEqual({
    Name: "one",
    Ready: 4,
    Address: "five",
  });
});

test("the CRD accepts the smallest and largest values, and nothing beyond them", async () => {
  await using cluster = await startTestCluster({ crds: [join(config, "crd/bases")] });
  const objects = cluster.client.resource(ovhNginxes).namespace("default");
  const create = (spec: (typeof good)[number]) => objects.create({ metadata: { generateName: "a-" }, spec });
  const good = [
    { replicaCount: 0, port: 1 },
    { replicaCount: 0, port: 65_535 },
  ];
  const bad = [
    { replicaCount: -1, port: 1 },
    { replicaCount: 0, port: 0 },
    { replicaCount: 0, port: 65_536 },
  ];
  for (const spec of good) await create(spec);
  for (const spec of bad) await expect(create(spec)).rejects.toThrow("is invalid");
});

test("an OvhNginx without a version gets the default", async () => {
  await using cluster = await startTestCluster({ crds: [join(config, "crd/bases")] });
  const objects = cluster.client.resource(ovhNginxes).namespace("default");
  const create = (name: string, version?: string) =>
    objects.create({ metadata: { name }, spec: { replicaCount: 1, port: 80, ...(version && { version }) } });
  expect((await create("one")).spec.version).toBe("1.29-alpine");
  expect((await create("other", "1.28-alpine")).spec.version).toBe("1.28-alpine");
});

test("the scale subresource is the replicaCount, and counts the ready replicas", async () => {
  await using cluster = await startTestCluster({ crds: [join(config, "crd/bases")] });
  const objects = cluster.client.resource(ovhNginxes).namespace("default");
  const object = await objects.create({ metadata: { name: "one" }, spec: { replicaCount: 1, port: 80 } });
  await objects.updateStatus({ ...object, status: { readyReplicas: 4 } });
  const scale = await objects.patch(
    "one",
    { spec: { replicas: 3 } },
    { type: "merge", subresource: "scale" },
  );
  expect(scale).toMatchObject({ kind: "Scale", spec: { replicas: 3 }, status: { replicas: 4 } });
  expect((await objects.get("one")).spec.replicaCount).toBe(3);
});

test("the server rejects two conditions of one type", async () => {
  await using cluster = await startTestCluster({ crds: [join(config, "crd/bases")] });
  const objects = cluster.client.resource(ovhNginxes).namespace("default");
  const object = await objects.create({ metadata: { name: "one" }, spec: { replicaCount: 1, port: 80 } });
  const condition = {
    ...{ type: "Ready", status: "True", reason: "Up", message: "" },
    lastTransitionTime: "2026-01-01T00:00:00Z",
  };
  const withConditions = (...conditions: (typeof condition)[]) =>
    objects.updateStatus({ ...object, status: { readyReplicas: 1, conditions } } as typeof object);
  await expect(withConditions(condition, { ...condition, status: "False" })).rejects.toThrow(
    "Duplicate value",
  );
  await withConditions(condition);
});

test("the sample asks for one replica on the unprivileged port", async () => {
  const [sample] = await kustomize(join(config, "samples"));
  expect(sample).toMatchObject({
    metadata: { name: "ovhnginx-sample" },
    spec: { port: 8080, replicaCount: 1 },
  });
});
