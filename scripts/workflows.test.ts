import { globSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { kindNodeImage } from "@operator-path/tools";
import { execa } from "execa";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";

/** Hosted runs happen elsewhere, and later: what can be seen from here is held here. */
const root = join(import.meta.dirname, "..");
const read = (file: string): unknown => parse(readFileSync(join(root, file), "utf8"));

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
}
interface Job {
  readonly "timeout-minutes"?: number;
  readonly permissions?: unknown;
  readonly env?: Readonly<Record<string, unknown>>;
  readonly steps: readonly Step[];
}
interface Workflow {
  readonly permissions: unknown;
  readonly jobs: Readonly<Record<string, Job>>;
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
    for (const [name, job] of Object.entries(workflow.jobs)) {
      expect(job["timeout-minutes"], `${file} ${name}`).toBeLessThanOrEqual(60);
      if (!file.endsWith("/release.yml")) expect(job.permissions, `${file} ${name}`).toBeUndefined();
    }
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

describe("the release", () => {
  const { publish } = (read(".github/workflows/release.yml") as Workflow).jobs;
  const runs = (publish?.steps ?? []).map(({ run = "" }) => run);

  test("may write a GitHub release and sign the provenance, and has no token of npm", () => {
    expect(publish?.permissions).toEqual({ contents: "write", "id-token": "write" });
    expect(readFileSync(join(root, ".github/workflows/release.yml"), "utf8")).not.toMatch(
      /secrets\.|NPM_TOKEN/,
    );
  });

  test("judges the tarballs before it publishes them, with provenance and an SBOM", () => {
    const order = [
      "run dist",
      "scripts test:slow",
      "run sbom",
      "publish-packages --provenance",
      "gh release create",
    ];
    const places = order.map((words) => runs.findIndex((run) => run.includes(words)));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  test("refuses a tag that is not the version of the packages", async () => {
    const compare = runs.find((run) => run.includes("GITHUB_REF_NAME") && run.startsWith("test")) ?? "false";
    const { version } = read("packages/sdk/client/package.json") as { version: string };
    const PATH = [dirname(process.execPath), process.env.PATH].join(":");
    const exitCode = async (tag: string) =>
      (
        await execa("bash", ["-ec", compare], {
          ...{ cwd: root, env: { PATH, GITHUB_REF_NAME: tag }, reject: false },
        })
      ).exitCode;
    expect(await exitCode(`v${version}`)).toBe(0);
    expect(await exitCode(`v${version}1`)).toBe(1);
  });
});

test("all published packages have one version, which changesets keeps", () => {
  const { fixed } = read(".changeset/config.json") as { fixed: string[][] };
  expect(fixed).toEqual([["@operator-path/*"]]);
  const manifests = globSync("packages/{sdk,cluster}/*/package.json", { cwd: root }).map(
    (file) => read(file) as { name: string; version: string },
  );
  expect(new Set(manifests.map(({ version }) => version)).size).toBe(1);
  for (const { name } of manifests) expect(name).toMatch(/^@operator-path\//);
});

describe("the job on kind", () => {
  const { kind } = (read(".github/workflows/ci.yml") as Workflow).jobs;
  const runs = (kind?.steps ?? []).map(({ run = "" }) => run);

  test("pulls the nodes' image of this house before any test", async () => {
    const pull = runs.findIndex((run) => run.startsWith("docker pull"));
    const tests = runs.findIndex((run) => /test:slow|vitest|proof/.test(run));
    expect(pull).toBeGreaterThan(-1);
    expect(pull).toBeLessThan(tests);
    const bin = await mkdtemp(join(tmpdir(), "workflow-"));
    await writeFile(join(bin, "docker"), '#!/bin/sh\necho "$*"\n', { mode: 0o755 });
    const PATH = [bin, dirname(process.execPath), process.env.PATH].join(":");
    const { stdout } = await execa("bash", ["-ec", runs[pull] ?? ""], { cwd: root, env: { PATH } });
    await rm(bin, { recursive: true });
    expect(stdout).toBe(`pull ${kindNodeImage}`);
  });

  // Without KIND_REQUIRED these pass over themselves where there is no engine.
  test.concurrent.each([
    ["packages/cluster/kind", "src/real-kind.slow.test.ts"],
    ["packages/cluster/cluster", "src/kind/start.slow.test.ts"],
  ])("cannot pass without an engine: %s", { timeout: 120_000 }, async (folder, file) => {
    const env = Object.entries(kind?.env ?? {}).map(([name, value]) => [name, String(value)]);
    const noEngine = { KIND_EXPERIMENTAL_PROVIDER: "docker", DOCKER_HOST: "unix:///nowhere/docker.sock" };
    // Another reporter than the usual ones, which write what is counted.
    const result = await execa(join(root, "node_modules/.bin/vitest"), ["run", file, "--reporter=tap-flat"], {
      cwd: join(root, folder),
      env: { ...Object.fromEntries(env), ...noEngine, SLOW: "1" },
      reject: false,
    });
    expect(result.exitCode).toBe(1);
    expect(result.stdout).not.toContain("# SKIP");
  });
});
