import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";

/** Hosted runs happen elsewhere, and later: what can be seen from here is held here. */
const root = join(import.meta.dirname, "..");
const read = (file: string): unknown => parse(readFileSync(join(root, file), "utf8"));

interface Step {
  readonly uses?: string;
  readonly run?: string;
}
interface Workflow {
  readonly permissions: unknown;
  readonly jobs: Readonly<
    Record<string, { readonly "timeout-minutes"?: number; readonly steps: readonly Step[] }>
  >;
}

const workflows = globSync(".github/workflows/*.yml", { cwd: root }).map((file) => ({
  file,
  workflow: read(file) as Workflow,
}));
const actions = globSync(".github/actions/*/action.yml", { cwd: root });
const steps = [
  ...workflows.flatMap(({ workflow }) => Object.values(workflow.jobs).flatMap((job) => job.steps)),
  ...actions.flatMap((file) => (read(file) as { runs: { steps: readonly Step[] } }).runs.steps),
];

test("workflows may read the repository and nothing else, and every job ends", () => {
  expect(workflows.length).toBeGreaterThan(0);
  for (const { file, workflow } of workflows) {
    expect(workflow.permissions, file).toEqual({ contents: "read" });
    for (const [name, job] of Object.entries(workflow.jobs))
      expect(job["timeout-minutes"], `${file} ${name}`).toBeLessThanOrEqual(60);
  }
});

test("each action has a version, or is the repository's own", () => {
  const used = steps.flatMap(({ uses }) => uses ?? []);
  expect(used.length).toBeGreaterThan(0);
  for (const uses of used) {
    if (uses.startsWith("./")) expect(actions).toContain(join(uses, "action.yml"));
    else expect(uses).toMatch(/^[\w-]+\/[\w-]+@v\d+/);
  }
});

test("each command of pnpm is a script of the repository", () => {
  const { scripts } = read("package.json") as { scripts: Record<string, string> };
  const commands = steps.flatMap(({ run }) => [...(run ?? "").matchAll(/pnpm@12 (?:run )?(?!--)([\w:-]+)/g)]);
  expect(commands.map(([, name]) => name)).toContain("proof");
  for (const [, name = ""] of commands) expect(["install", ...Object.keys(scripts)]).toContain(name);
});
