import { join } from "node:path";
import type { Deployment } from "@operator-path/client";
import { deployedRights, kustomize, startTestCluster } from "@operator-path/cluster/testing";
import { expect, test } from "vitest";
import { websites } from "../website-operator/api/v1/zz_generated.resources.ts";

// The tests repeat what `make deploy` gives the operator, so that no line of the manifests changes unnoticed.

const config = join(import.meta.dirname, "../website-operator/config");
const home = "website-operator-system";

test("each account has the permissions that it needs, and no others", async () => {
  await using cluster = await startTestCluster();
  const operator = { namespace: home, name: "website-operator-controller-manager" };
  const rights = await deployedRights(cluster.client, await kustomize(join(config, "default")), operator);
  const everywhere = [
    "apps/deployments create list patch watch",
    "authentication.k8s.io/tokenreviews create",
    "authorization.k8s.io/subjectaccessreviews create",
    "configmaps create list patch watch",
    "web.example.com/websites list watch",
    "web.example.com/websites/finalizers update",
    "web.example.com/websites/status update",
  ];
  expect(rights).toEqual({
    default: everywhere,
    [home]: [...everywhere, "coordination.k8s.io/leases create get update", "events create"].sort(),
    "website-operator-metrics-reader": ["/metrics get"],
    "website-operator-website-admin-role": [
      "web.example.com/websites create delete deletecollection get list patch update watch",
      "web.example.com/websites/status get",
    ],
    "website-operator-website-editor-role": [
      "web.example.com/websites create delete get list patch update watch",
      "web.example.com/websites/status get",
    ],
    "website-operator-website-viewer-role": [
      "web.example.com/websites get list watch",
      "web.example.com/websites/status get",
    ],
  });
});

test("the operator's Pod keeps its limits, its probes and its hardening", async () => {
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
    serviceAccountName: "website-operator-controller-manager",
    terminationGracePeriodSeconds: 35,
  });
});

test("the CRD accepts no replicas, and rejects fewer", async () => {
  await using cluster = await startTestCluster({ crds: [join(config, "crd/bases")] });
  const objects = cluster.client.resource(websites).namespace("default");
  const create = (replicas: number) =>
    objects.create({ metadata: { generateName: "a-" }, spec: { text: "Hello!", replicas } });
  await create(0);
  await expect(create(-1)).rejects.toThrow("is invalid");
});

test("the sample asks for one replica and a text", async () => {
  const [sample] = await kustomize(join(config, "samples"));
  expect(sample).toMatchObject({
    metadata: { name: "website-sample" },
    spec: { replicas: 1, text: "Hello from an operator of my own!" },
  });
});
