import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { initLine, openFolder } from "../testing/scaffolds.ts";

interface Workflow {
  jobs: { test: { steps: { run?: string; with?: Record<string, unknown> }[] } };
}

test.each([
  ["pnpm-lock.yaml", "npx --yes pnpm@12 install --frozen-lockfile --ignore-scripts"],
  ["package-lock.json", "npm ci --ignore-scripts"],
])("the workflow installs what %s locks", async (lockfile, expected) => {
  using folder = openFolder();
  await folder.run(initLine);
  writeFileSync(join(folder.cwd, lockfile), "");
  const install =
    workflowOf(folder.cwd).jobs.test.steps.find(({ run }) => run?.includes("npm ci"))?.run ?? "";
  const bin = join(folder.cwd, "../bin");
  mkdirSync(bin);
  for (const name of ["npm", "npx"]) {
    writeFileSync(join(bin, name), `#!/bin/sh\necho ${name} "$@"\n`);
    chmodSync(join(bin, name), 0o755);
  }
  // GitHub runs a step like this.
  const options = { cwd: folder.cwd, env: { PATH: `${bin}:/usr/bin:/bin` }, encoding: "utf8" } as const;
  expect(execFileSync("/bin/sh", ["-e", "-c", install], options)).toBe(`${expected}\n`);
});

test("the workflow has the Node of the project", async () => {
  using folder = openFolder();
  await folder.run(initLine);
  const setup = workflowOf(folder.cwd).jobs.test.steps.find((step) => step.with?.["node-version"]);
  const { devDependencies } = JSON.parse(folder.read("package.json")) as {
    devDependencies: Record<string, string>;
  };
  // The job installs without scripts, so without the project's own Node.
  expect(devDependencies.node).toMatch(new RegExp(`^\\^${setup?.with?.["node-version"]}\\.`));
});

function workflowOf(folder: string): Workflow {
  return parse(readFileSync(join(folder, ".github/workflows/test.yml"), "utf8")) as Workflow;
}
