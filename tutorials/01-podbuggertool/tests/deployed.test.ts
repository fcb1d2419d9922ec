import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Deployment, KubeObject, PodSpec } from "@operator-path/client";
import { deployedRights, printedColumns, startTestCluster } from "@operator-path/cluster/testing";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { type Podbuggertool, podbuggertools } from "../podbuggertool/src/types.ts";

// Repeats what `make deploy` gives the operator, so that no line of the manifests changes unnoticed.

const operator = { namespace: "podbuggertool", name: "podbuggertool" };
const folders = ["podbuggertool", "podbuggertool-on-controller-runtime"] as const;

function read(file: string): KubeObject[] {
  const text = readFileSync(join(import.meta.dirname, "..", file), "utf8");
  return parseAllDocuments(text).map((document) => document.toJS());
}

const onInformers = [
  "events create list patch",
  "pods list watch",
  "pods/ephemeralcontainers patch",
  "ualter.com/podbuggertools list watch",
  "ualter.com/podbuggertools/status patch",
];
const onControllerRuntime = [
  "authentication.k8s.io/tokenreviews create",
  "authorization.k8s.io/subjectaccessreviews create",
  ...onInformers,
];

test.each([
  ["podbuggertool", { default: onInformers }],
  [
    "podbuggertool-on-controller-runtime",
    {
      default: onControllerRuntime,
      podbuggertool: [...onControllerRuntime, "coordination.k8s.io/leases create get update"].sort(),
      "podbuggertool-metrics-reader": ["/metrics get"],
    },
  ],
])("%s: each account has the rights that it needs, and no other one", async (folder, rights) => {
  await using cluster = await startTestCluster();
  const manifests = read(`${folder}/deploy/permissions.yaml`);
  expect(await deployedRights(cluster.client, manifests, operator)).toEqual(rights);
});

const hardened: Omit<PodSpec["containers"][number], "name"> = {
  securityContext: {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ["ALL"] },
  },
  resources: { requests: { cpu: "10m", memory: "64Mi" }, limits: { memory: "256Mi" } },
};
const served = {
  args: [
    "/app/main.js",
    "--leader-elect",
    "--health-probe-bind-address=:8081",
    "--metrics-bind-address=:8443",
  ],
  ports: [{ name: "metrics", containerPort: 8443 }],
  livenessProbe: { httpGet: { path: "/healthz", port: 8081 } },
  readinessProbe: { httpGet: { path: "/readyz", port: 8081 }, periodSeconds: 1 },
};

test.each([
  ["podbuggertool", hardened],
  ["podbuggertool-on-controller-runtime", { ...hardened, ...served }],
])("%s: the Pod of the operator keeps its limits, its probes and its hardening", (folder, container) => {
  const [deployment] = read(`${folder}/deploy/operator.yaml`);
  expect((deployment as Deployment).spec?.template.spec).toEqual({
    serviceAccountName: "podbuggertool",
    securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
    containers: [{ name: "podbuggertool", image: expect.any(String), ...container }],
  });
});

test.each(folders)("%s: kubectl get shows the right field in each column", async (folder) => {
  await using cluster = await startTestCluster({
    crds: [join(import.meta.dirname, "..", folder, "crd.yaml")],
  });
  const metadata = { namespace: "default", name: "one" };
  const object = { metadata, spec: { label: "app=two", image: "three" }, status: { installed: 4 } };
  expect(await printedColumns(cluster.client, podbuggertools, object)).toEqual({
    Name: "one",
    Label: "app=two",
    Image: "three",
    Installed: 4,
  });
});

test.each([
  ["podbuggertool", { replicas: 1, strategy: { type: "Recreate" } }],
  ["podbuggertool-on-controller-runtime", { replicas: 2 }],
])(
  "%s: the namespace enforces the strictest standard, and the Deployment keeps its shape",
  (folder, shape) => {
    const [namespace] = read(`${folder}/deploy/permissions.yaml`);
    expect(namespace?.metadata?.labels).toEqual({ "pod-security.kubernetes.io/enforce": "restricted" });
    const [deployment] = read(`${folder}/deploy/operator.yaml`);
    const { template: _, ...spec } = (deployment as Deployment).spec ?? {};
    expect(spec).toEqual({ ...shape, selector: { matchLabels: { app: "podbuggertool" } } });
  },
);

test.each(folders)("%s: the server rejects a tool without a label or an image", async (folder) => {
  await using cluster = await startTestCluster({
    crds: [join(import.meta.dirname, "..", folder, "crd.yaml")],
  });
  const tools = cluster.client.resource(podbuggertools).namespace("default");
  const create = (spec?: object) => tools.create({ metadata: { generateName: "a-" }, spec } as Podbuggertool);
  const label = "app=one";
  await create({ label, image: "x" });
  for (const spec of [
    undefined,
    { label },
    { image: "x" },
    { label, image: "" },
    { label: "app", image: "x" },
  ])
    await expect(create(spec)).rejects.toThrow("is invalid");
});

const hasMake = spawnSync("make", ["--version"]).status === 0;

test.skipIf(!hasMake).each(folders)("%s: make deploy gives the operator the image of IMG", (folder) => {
  // `cat` prints what kubectl would apply. The target `install` would ask which cluster it is.
  const variables = ["KUBECTL=cat #", "CONTEXT=none", "IMG=registry.example/tool:9"];
  const { stdout } = spawnSync("make", ["--silent", "--old-file=install", "deploy", ...variables], {
    cwd: join(import.meta.dirname, "..", folder),
    input: "",
    encoding: "utf8",
  });
  const [deployment] = parseAllDocuments(stdout).map((document) => document.toJS() as Deployment);
  expect(deployment?.spec?.template.spec?.containers[0]?.image).toBe("registry.example/tool:9");
});

const whichCluster = "sh which-cluster.sh 'none' named > /dev/null";
const kubectl = "kubectl --context='none'";

test.skipIf(!hasMake).each(
  folders.flatMap((folder) =>
    [
      { target: "install", commands: [whichCluster, `${kubectl} apply -f crd.yaml`] },
      {
        target: "deploy",
        commands: [
          whichCluster,
          `${kubectl} apply -f crd.yaml`,
          `${kubectl} apply -f deploy/permissions.yaml`,
          `sed 's|image: podbuggertool:.*|image: x:1|' deploy/operator.yaml | ${kubectl} apply -f -`,
        ],
      },
      {
        target: "undeploy",
        commands: [
          whichCluster,
          `${kubectl} delete --ignore-not-found -f deploy/operator.yaml -f deploy/permissions.yaml -f crd.yaml`,
        ],
      },
      { target: "docker-build", commands: ["pnpm bundle", "docker build -t x:1 ."] },
      { target: "docker-push", commands: ["docker push x:1"] },
    ].map((one) => ({ folder, ...one })),
  ),
)("$folder: make $target runs what it needs first", ({ folder, target, commands }) => {
  const { stdout } = spawnSync("make", ["--dry-run", target, "CONTEXT=none", "IMG=x:1"], {
    cwd: join(import.meta.dirname, "..", folder),
    encoding: "utf8",
  });
  expect(stdout.trim().split("\n")).toEqual(commands);
});

test("the service that is debugged keeps its probe and its hardening", () => {
  const [payment] = read("payment/payment.yaml");
  const container = {
    name: "payment",
    image: "payment:1.0.0",
    ports: [{ containerPort: 8080 }],
    securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } },
    readinessProbe: { httpGet: { path: "/healthz", port: 8080 }, periodSeconds: 1 },
  };
  expect((payment as Deployment).spec?.template.spec).toEqual({
    securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: "RuntimeDefault" } },
    containers: [container],
  });
});
