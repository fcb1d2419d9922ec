import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ClusterRole } from "@operator-path/client";
import { kustomize } from "@operator-path/cluster/testing";
import { expect, onTestFinished, test } from "vitest";

/** Returns what the markers of the project allow, one verb on one resource per line. */
async function permissions(): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "memcached-role-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const project = join(import.meta.dirname, "..");
  const command = join(project, "node_modules/.bin/controller-gen");
  execFileSync(command, ["rbac:roleName=manager-role", "paths=./...", `output:dir=${folder}`], {
    cwd: project,
  });
  writeFileSync(join(folder, "kustomization.yaml"), "resources: [role.yaml]\n");
  const roles = (await kustomize(folder)) as ClusterRole[];
  return roles
    .flatMap(({ rules }) => rules ?? [])
    .flatMap(({ apiGroups = [], resources = [], verbs }) =>
      apiGroups.flatMap((group) =>
        resources.flatMap((resource) => verbs.map((verb) => `${group}/${resource} ${verb}`)),
      ),
    );
}

test("the operator may list and watch Pods, and do nothing else with them", async () => {
  const needed = ["/pods list", "/pods watch"];
  // "*" stands for every group, or for every resource.
  const ofPods = (await permissions()).filter((permission) => /^\*?\/(?:pods?\b|\*)/.test(permission));
  const missing = needed.filter((permission) => !ofPods.includes(permission));
  const unneeded = ofPods.filter((permission) => !needed.includes(permission));
  const differences = [
    ...missing.map((permission) => `missing: ${permission.slice(1)}`),
    ...unneeded.map((permission) => `too much: ${permission.replace(/^\//, "")}`),
  ];
  if (differences.length > 0) expect.fail(differences.join("\n"));
});
