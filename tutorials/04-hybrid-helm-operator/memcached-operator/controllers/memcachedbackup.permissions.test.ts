import { execFileSync } from "node:child_process";
import { parseManifest } from "@operator-path/helm-operator";
import { expect, test } from "vitest";

interface PolicyRule {
  apiGroups: string[];
  resources: string[];
  verbs: string[];
}

const needed = [
  "/namespaces list",
  "/namespaces watch",
  "/pods list",
  "/pods watch",
  "apps/deployments create",
  "apps/deployments list",
  "apps/deployments update",
  "apps/deployments watch",
  "cache.my.domain/memcachedbackups list",
  "cache.my.domain/memcachedbackups watch",
  "cache.my.domain/memcachedbackups/finalizers update",
  "cache.my.domain/memcachedbackups/status update",
];

/** Returns what the role allows that the markers of the project generate, one verb on one resource per line. */
function permissions(): string[] {
  const args = ["rbac:roleName=manager-role", "paths=./...", "output:rbac:stdout"];
  const role = execFileSync("node_modules/.bin/controller-gen", args, { encoding: "utf8" });
  const [generated] = parseManifest(role);
  const { rules = [] } = (generated?.object ?? {}) as { rules?: PolicyRule[] };
  return rules.flatMap(({ apiGroups, resources, verbs }) =>
    apiGroups.flatMap((group) =>
      resources.flatMap((resource) => verbs.map((verb) => `${group}/${resource} ${verb}`)),
    ),
  );
}

test("the code may do what it asks for, and nothing else", () => {
  const allowed = permissions();
  const missing = needed.filter((permission) => !allowed.includes(permission));
  const unneeded = allowed.filter((permission) => !needed.includes(permission));
  const differences = [
    ...missing.map((permission) => `missing: ${permission}`),
    ...unneeded.map((permission) => `too much: ${permission}`),
  ];
  if (differences.length > 0) expect.fail(differences.join("\n"));
});
