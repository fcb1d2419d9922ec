/**
 * `pnpm proof nodes [major…]` installs, builds and tests copies of stages by npm and by pnpm, and a new
 * project, on a machine with Node 20, 22, 24 or 26. Default: each in turn. The Nodes and npm's packages come
 * from the registry. Prints a line for each action. Exits with 1 at the first command that fails, with its
 * output.
 */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { quote } from "@operator-path/tools";
import { findPnpm, installFromStore, operatorSdkScript } from "@operator-path/walkthrough";
import { execa } from "execa";
import { copyStage } from "../../copy/copy.ts";
import { repositoryRoot as root } from "../../repository.ts";

/** Each Node, and an npm that runs on it. npm 12 runs only the install scripts that package.json allows. */
const npmOf: ReadonlyMap<string, string> = new Map([
  ["20", "10"],
  ["22", "10"],
  ["24", "11"],
  ["26", "12"],
]);
const noSignal = new AbortController().signal;
const stages = ["01-podbuggertool/3", "02-memcached-operator"];

const asked = process.argv.slice(3);
const folder = await realpath(await mkdtemp(join(tmpdir(), "prove-nodes-")));
try {
  const strange = asked.find((major) => !npmOf.has(major));
  assert.equal(strange, undefined, `pnpm proof nodes ${strange}: there are ${[...npmOf.keys()].join(", ")}`);
  for (const major of asked.length > 0 ? asked : npmOf.keys()) await proveOn(major);
  console.log("everything is as it should be");
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function proveOn(major: string): Promise<void> {
  const machine = join(folder, `node-${major}`);
  const env = await machineWith(major, machine);
  const version = (await run("node --version", machine, env)).trim();
  assert.equal(version.split(".")[0], `v${major}`);
  for (const manager of ["npm", "pnpm"]) {
    for (const stage of stages) {
      const project = join(machine, manager, stage.replace("/", "-"));
      await copyStage(stage, project, {}, { root, cwd: folder, signal: noSignal, say: () => {} });
      const reported = `Node ${major}, ${stage}: `;
      await run(`${manager} install`, project, env, reported);
      for (const script of ["bundle", "test"]) await run(`${manager} run ${script}`, project, env, reported);
      if (stage.startsWith("02")) await run("make lint build test", project, env, reported);
    }
  }
  const project = join(machine, "new-operator");
  await mkdir(project);
  const reported = `Node ${major}, a new project: `;
  await run("operator-sdk init --domain acme.io", project, env);
  const api = "--group apps --version v1 --kind Store --resource --controller";
  await run(`operator-sdk create api ${api}`, project, env, reported);
  await run("pnpm install", project, env, reported);
  for (const command of ["pnpm run build", "pnpm test", "make lint test"])
    await run(command, project, env, reported);
}

/**
 * Runs a command, and returns its standard output. Prints its time if it is `reported`. Rejects with all
 * output if it fails.
 */
async function run(
  command: string,
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
  reported?: string,
): Promise<string> {
  const begun = performance.now();
  const { all, stdout, exitCode } = await execa("sh", ["-c", command], {
    ...{ cwd, env, extendEnv: false, reject: false, all: true, stdin: "ignore" },
  });
  if (exitCode !== 0) throw new Error(`${reported ?? ""}${command}: exit code ${exitCode}\n${all}`);
  const seconds = ((performance.now() - begun) / 1000).toFixed(1).padStart(6);
  if (reported !== undefined) console.log(`${seconds} s  ${reported}${command}`);
  return stdout;
}

/**
 * Returns an environment whose PATH begins with this Node and its npm. pnpm uses the repository's store,
 * without network.
 */
async function machineWith(
  major: string,
  machine: string,
): Promise<Readonly<Record<string, string | undefined>>> {
  const bin = join(machine, "bin");
  await mkdir(bin, { recursive: true });
  const path = (process.env.PATH ?? "").split(":").filter((entry) => !entry.includes("node_modules"));
  // Keeps the machine's proxies and certificates, but not the settings of the pnpm that runs this.
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(?:npm_|pnpm_|NODE$|NODE_OPTIONS|INIT_CWD)/i.test(name),
    ),
  );
  await writeFile(join(machine, "package.json"), '{ "private": true, "allowScripts": { "node": true } }\n');
  await run(`npm install node@${major} npm@${npmOf.get(major)} --no-save --no-audit`, machine, {
    ...inherited,
    PATH: path.join(":"),
  });
  const node = join(machine, "node_modules/node/bin/node");
  const program = (name: string, line: string) =>
    writeFile(join(bin, name), `#!/bin/sh\nexec ${line} "$@"\n`, { mode: 0o755 });
  await symlink(node, join(bin, "node"));
  await program("npm", `${quote(node)} ${quote(join(machine, "node_modules/npm/bin/npm-cli.js"))}`);
  const pnpm = findPnpm(process.env) ?? ["npx", "--yes", "pnpm@12"];
  await program("pnpm", pnpm.map(quote).join(" "));
  await writeFile(join(bin, "operator-sdk"), operatorSdkScript(), { mode: 0o755 });
  return {
    ...(await installFromStore(root)),
    ...inherited,
    ...{ NO_COLOR: "1", PATH: [bin, ...path].join(":"), pnpm_config_offline: "true" },
  };
}
