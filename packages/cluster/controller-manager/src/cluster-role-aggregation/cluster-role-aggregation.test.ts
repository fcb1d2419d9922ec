import type { ClusterRole } from "@operator-path/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { clusterRoles } from "../resources.ts";
import { startTestCluster, type TestCluster, within } from "../testing/cluster.ts";
import { aggregatedRules } from "./cluster-role-aggregation.ts";

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startTestCluster();
  await cluster.startManager();
});
afterAll(() => cluster.stop());

const rule = (resource: string) => ({
  apiGroups: ["forge.example.com"],
  resources: [resource],
  verbs: ["get"],
});
const role = (name: string, labels: Record<string, string>, ...resources: string[]): ClusterRole => ({
  apiVersion: "rbac.authorization.k8s.io/v1",
  kind: "ClusterRole",
  metadata: { name, labels },
  rules: resources.map(rule),
});

test("an aggregated role follows the roles that it selects", async () => {
  const roles = cluster.client.resource(clusterRoles);
  const rulesOf = async (name: string) => (await roles.get(name)).rules ?? [];
  await roles.create({
    ...role("whole", {}),
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { part: "yes" } }] },
  });
  await roles.create(role("b", { part: "yes" }, "hammers", "nails"));
  await roles.create(role("a", { part: "yes" }, "saws", "nails"));
  await roles.create(role("c", { part: "no" }, "secrets"));
  await expect.poll(() => rulesOf("whole"), within).toEqual(["saws", "nails", "hammers"].map(rule));
  await roles.patch("c", { metadata: { labels: { part: "yes" } } }, { type: "merge" });
  await expect.poll(() => rulesOf("whole"), within).toContainEqual(rule("secrets"));
  await roles.delete("a");
  await expect.poll(() => rulesOf("whole"), within).toEqual(["hammers", "nails", "secrets"].map(rule));
});

test("the roles admin, edit and view receive the rules of an operator's kinds", async () => {
  const roles = cluster.client.resource(clusterRoles);
  await roles.create(role("forge-view", { "rbac.authorization.k8s.io/aggregate-to-view": "true" }, "anvils"));
  const has = async (name: string) => {
    const { rules = [] } = await roles.get(name);
    return rules.some(({ resources }) => resources?.includes("anvils"));
  };
  for (const name of ["view", "edit", "admin"]) await expect.poll(() => has(name), within).toBe(true);
});

test("the default roles are complete from the start", async () => {
  const server = await startTestCluster();
  try {
    const { items } = await server.client.resource(clusterRoles).list();
    const made = items.filter(({ aggregationRule }) => aggregationRule !== undefined);
    expect(made.map(({ metadata }) => metadata?.name).sort()).toEqual(["admin", "edit", "view"]);
    for (const one of made) expect(one.rules).toEqual(aggregatedRules(one, items));
  } finally {
    await server.stop();
  }
});
