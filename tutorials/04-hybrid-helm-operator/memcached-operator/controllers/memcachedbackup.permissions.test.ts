import { execFileSync } from "node:child_process";
import { parseManifest } from "@operator-path/helm-operator";
import { expect, test } from "vitest";

interface PolicyRule {
  apiGroups: string[];
  resources: string[];
  verbs: string[];
}

/** Returns the verbs of each resource in the role that the markers of the project generate. */
function permissions(): Record<string, string[]> {
  const args = ["rbac:roleName=manager-role", "paths=./...", "output:rbac:stdout"];
  const role = execFileSync("node_modules/.bin/controller-gen", args, { encoding: "utf8" });
  const [generated] = parseManifest(role);
  const { rules = [] } = (generated?.object ?? {}) as { rules?: PolicyRule[] };
  const verbs: Record<string, string[]> = {};
  for (const rule of rules)
    for (const group of rule.apiGroups)
      for (const resource of rule.resources)
        verbs[`${group}/${resource}`] = [...(verbs[`${group}/${resource}`] ?? []), ...rule.verbs].sort();
  return verbs;
}

test("the code may do what it asks for, and nothing else", () => {
  expect(permissions()).toEqual({
    "/namespaces": ["list", "watch"],
    "/pods": ["list", "watch"],
    "apps/deployments": ["create", "list", "update", "watch"],
    "cache.my.domain/memcachedbackups": ["list", "watch"],
    "cache.my.domain/memcachedbackups/finalizers": ["update"],
    "cache.my.domain/memcachedbackups/status": ["update"],
  });
});
