import { expect, test } from "vitest";
import { deployedRights } from "./rights.ts";
import { startTestCluster } from "./start-test-cluster.ts";

const rbac = { apiVersion: "rbac.authorization.k8s.io/v1" };
const operator = { namespace: "shop", name: "operator" };

test("a RoleBinding without a namespace grants its role in default, as after kubectl apply", async () => {
  await using cluster = await startTestCluster();
  const rules = [{ apiGroups: [""], resources: ["pods"], verbs: ["list"] }];
  const manifests = [
    { apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } },
    { apiVersion: "v1", kind: "ServiceAccount", metadata: operator },
    { ...rbac, kind: "ClusterRole", metadata: { name: "reader" }, rules },
    {
      ...{ ...rbac, kind: "RoleBinding", metadata: { name: "reader" } },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "reader" },
      subjects: [{ kind: "ServiceAccount", ...operator }],
    },
  ];
  const rights = await deployedRights(cluster.client, manifests, operator);
  expect(rights.default).toEqual(["pods list"]);
  expect(rights.shop).toEqual([]);
});
