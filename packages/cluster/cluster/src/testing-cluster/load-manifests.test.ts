import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadManifests } from "./load-manifests.ts";
import { startTestCluster, type TestCluster } from "./start-test-cluster.ts";

const schema = { openAPIV3Schema: { type: "object" } };
const versions = [{ name: "v1", served: true, storage: true, subresources: { status: {} }, schema }];
const crd = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "pizzas.shop.example.com" },
  spec: {
    group: "shop.example.com",
    names: { kind: "Pizza", plural: "pizzas", singular: "pizza", listKind: "PizzaList" },
    scope: "Namespaced",
    versions,
  },
};

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startTestCluster({ crds: [crd] });
});
afterAll(() => cluster.stop());

/** Returns what the loader says of a file, with `FILE` for its name. */
async function said(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "manifests-"));
  const file = join(folder, "some.yaml");
  await writeFile(file, text);
  try {
    const objects = await loadManifests(cluster.client, file);
    return `${objects.length} objects`;
  } catch (error) {
    return (error as Error).message.replaceAll(relative(process.cwd(), file), "FILE");
  } finally {
    await rm(folder, { recursive: true });
  }
}

const deployment = (securityContext: string): string => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: shop
spec:
  selector:
    matchLabels: { app: shop }
  template:
    metadata:
      labels: { app: shop }
    spec:
      containers:
        - name: shop
          image: shop
          securityContext:
            ${securityContext}
`;

const role = (rule: string): string => `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: shop
rules:
  - apiGroups: [""]
    resources: [events]
    verbs: [create]
${rule}`;

describe("a valid file", () => {
  test("is returned, and changes nothing in the cluster", async () => {
    const text = `${role("")}---\n# A comment.\n---\n${deployment("readOnlyRootFilesystem: true")}`;
    expect(await said(text)).toBe("2 objects");
    await expect(
      cluster.client.request({ method: "GET", path: "/apis/apps/v1/namespaces/default/deployments/shop" }),
    ).rejects.toThrow("not found");
  });

  test("may contain objects of namespaces that do not exist", async () => {
    expect(
      await said(deployment("privileged: true").replace("name: shop", "name: shop\n  namespace: no")),
    ).toBe("1 objects");
  });
});

test("names the line of invalid YAML", async () => {
  expect(await said("kind: Role\nrules:\n  - verbs: [get\n    resources: [pods]\n")).toMatch(
    /^FILE:4:\d+: invalid YAML: .+\n {2}4 \| {5}resources: \[pods\]$/,
  );
  expect(await said("kind: Role\nrules:\n\t- verbs: [get]\n")).toMatch(
    /^FILE:3:1: invalid YAML: Tabs are not allowed/,
  );
});

test.each([
  [
    "with the field that was probably meant",
    "readOnlyRootFilesytem: true",
    'FILE:16: unknown field "readOnlyRootFilesytem" in spec.template.spec.containers[0].securityContext: did you mean readOnlyRootFilesystem?',
  ],
  [
    "with the command that lists the fields",
    "whatever: true",
    'FILE:16: unknown field "whatever" in spec.template.spec.containers[0].securityContext: `kubectl explain deployment.spec.template.spec.containers.securityContext` lists its fields',
  ],
])("names an unknown field %s", async (_, field, expected) => {
  expect(await said(deployment(field))).toBe(expected);
});

test("names a value of the wrong type", async () => {
  expect(await said(deployment("readOnlyRootFilesystem: yes please"))).toMatch(
    /^FILE:1: .*readOnlyRootFilesystem/,
  );
});

test("names an unknown kind", async () => {
  const pizza = "apiVersion: shop.example.com/v1\nkind: PizzA\nmetadata:\n  name: mine\n";
  expect(await said(`---\n${pizza}`)).toBe(
    "FILE:3: shop.example.com/v1 has no kind PizzA: did you mean Pizza? Names of kinds are case-sensitive.",
  );
});

test.each([
  [
    "in the wrong case",
    '  - apiGroups: [""]\n    resources: [pods, pods/ephemeralContainers]\n    verbs: [patch]\n',
    'FILE:10: the API group "" has no resource pods/ephemeralContainers: write pods/ephemeralcontainers. Names of resources are lowercase.',
  ],
  [
    "without its resource",
    '  - apiGroups: [""]\n    resources:\n      - pods\n      - ephemeralcontainers\n    verbs: [patch]\n',
    "FILE:12: ephemeralcontainers is a subresource: write pods/ephemeralcontainers. It needs this name in a rule.",
  ],
  [
    "of another group",
    '  - apiGroups: [""]\n    resources: [pizzas/status]\n    verbs: [patch]\n',
    'FILE:10: the API group "" has no resource pizzas/status: it is in the group shop.example.com, so it needs a rule with `apiGroups: [shop.example.com]`.',
  ],
  [
    "that is misspelled",
    "  - apiGroups: [shop.example.com]\n    resources: [pizza]\n    verbs: [get]\n",
    "FILE:10: the API group shop.example.com has no resource pizza: did you mean pizzas?",
  ],
  [
    "of an unknown group",
    "  - apiGroups: [shop.example]\n    resources: [pizzas]\n    verbs: [get]\n",
    "FILE:9: the cluster has no API group shop.example: did you mean shop.example.com?",
  ],
  [
    "in the place of a name",
    '  - apiGroups: [""]\n    resources: [pods]\n    resourceNames: [ephemeralcontainers]\n    verbs: [patch]\n',
    "FILE:11: ephemeralcontainers is a subresource, and resourceNames are names of objects: write pods/ephemeralcontainers in resources.",
  ],
])("explains a rule for a resource %s", async (_, rule, expected) => {
  expect(await said(role(rule))).toBe(expected);
});

test("accepts wildcards, subresources, names and paths in rules", async () => {
  const rules = [
    '  - apiGroups: ["*"]\n    resources: ["*"]\n    verbs: ["*"]\n',
    '  - apiGroups: [""]\n    resources: ["*/status"]\n    verbs: [get]\n',
    '  - apiGroups: ["", shop.example.com]\n    resources: [pods/exec, pizzas/status, pizzas/finalizers]\n    verbs: [get]\n',
    '  - apiGroups: [""]\n    resources: [configmaps]\n    resourceNames: [status-of-mine]\n    verbs: [get]\n',
    "  - nonResourceURLs: [/metrics]\n    verbs: [get]\n",
  ];
  expect(await said(role(rules.join("")))).toBe("1 objects");
});
