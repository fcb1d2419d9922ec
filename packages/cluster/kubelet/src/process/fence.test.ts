import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { fencedEnvironment, permissionFlags } from "./fence.ts";
import { hostArguments, refusedOption } from "./node-command.ts";
import { nodeOption, refusedVariable } from "./node-options.ts";

const root = mkdtempSync(join(tmpdir(), "fence-"));
const program = `
const may = (name) => process.permission.has(name);
console.log(JSON.stringify([process.permission !== undefined && may("child"), may("fs.read", "/etc/passwd"), process.argv.length]));`;
writeFileSync(join(root, "main.cjs"), program);
writeFileSync(join(root, ".env"), "NODE_OPTIONS=--allow-child-process --allow-fs-read=/etc");
writeFileSync(
  join(root, "node.config.json"),
  JSON.stringify({ permission: { "allow-child-process": true, "allow-fs-read": ["/etc"] } }),
);
afterAll(() => rmSync(root, { recursive: true }));

/** Starts Node in the same way as run-process.ts. */
function run(args: string[], env: Record<string, string> = {}) {
  const folder = { root, mounts: [], reads: [], writes: [root], remove: async () => {} };
  const flags = permissionFlags(folder, { preload: root, childProcesses: false });
  const { stdout, stderr, status } = spawnSync(process.execPath, [...flags, ...hostArguments(args, root)], {
    cwd: root,
    env: fencedEnvironment(env, args),
    encoding: "utf8",
    timeout: 120_000,
  });
  return { stdout: stdout.trim(), stderr, status };
}
const closed = "[false,false,2]";

it.each<[string, string[], Record<string, string>]>([
  ["nothing", [], {}],
  ["arguments", ["--allow-child-process", "--allow-fs-read=*"], {}],
  ["arguments with underscores", ["--allow_child_process", "--allow_fs_read=*"], {}],
  ["--no-permission", ["--no-permission"], {}],
  ["NODE_OPTIONS", [], { NODE_OPTIONS: "--allow-child-process --no-permission --allow-fs-read /etc" }],
  ["quoted NODE_OPTIONS", [], { NODE_OPTIONS: '"--allow-child-process" "--allow-fs-read=*"' }],
  ["half quoted NODE_OPTIONS", [], { NODE_OPTIONS: '--al"low-child-pr"ocess "--allow\\-fs-read=/etc"' }],
  ["NODE_OPTIONS with underscores", [], { NODE_OPTIONS: "--allow_child_process --allow-fs_read=*" }],
  ["NODE_OPTIONS of a file", ["--env-file=.env"], {}],
  ["NODE_OPTIONS of a file, with underscores", ["--env_file", ".env"], {}],
  ["a file of options", ["--experimental-config-file=node.config.json"], {}],
  ["the file of options that Node finds", ["--experimental-default-config-file"], {}],
])("keeps the fence closed in spite of %s", (_, args, env) => {
  expect(run([...args, "main.cjs"], env)).toMatchObject({ stdout: closed, status: 0 });
});

it("rejects options that Node could read in two ways", () => {
  for (const args of [
    ["--bench-reporter", "x", "--allow-child-process", "main.cjs"],
    ["-p", "--allow-child-process", "main.cjs"],
  ]) {
    const { stdout } = run(args);
    expect(stdout).not.toContain("true");
  }
  expect(run(["main.cjs"], { NODE_OPTIONS: '"--allow-child-process' }).status).toBe(9);
});

it("keeps other options of an image, including their spaces", () => {
  const env = { NODE_OPTIONS: '--enable-source-maps "--title=a b" --allow-fs-read=/etc --title="c \\"d"' };
  expect(fencedEnvironment(env, [])).toEqual({
    NODE_OPTIONS: '--enable-source-maps "--title=a b" "--title=c \\"d"',
  });
  expect(run(["--no-warnings", "main.cjs"], env)).toMatchObject({ stdout: closed, status: 0 });
});

it("rejects options that start another program instead of the script", () => {
  expect(refusedOption(["--no-warnings", "--run", "x"])).toBe("--run");
  expect(refusedOption(["--build-snapshot", "x.cjs"])).toBe("--build-snapshot");
  expect(refusedOption(["main.js", "--run", "x"])).toBeUndefined();
});

it("rejects options that write files, or read them without the fence, from any source", () => {
  for (const option of [
    "--logfile=x",
    "--perf-basic-prof",
    "--localstorage-file=x",
    "--cpu_prof",
    "--inspect",
    "--expose-internals",
  ]) {
    const { name } = nodeOption(option);
    expect(refusedOption(["--no-warnings", option, "x.js"])).toBe(name);
    expect(refusedVariable(`--no-warnings "${option}"`)).toBe(name);
  }
  expect(refusedOption(["--enable-source-maps", "-C", "dev", "x.js", "--logfile=x"])).toBeUndefined();
  expect(refusedVariable("--max-old-space-size=64 --allow-fs-read=/etc")).toBeUndefined();
  expect(hostArguments(["--env-file=../../x/.env", "x.js"], root)).toEqual([
    `--env-file=${root}/x/.env`,
    "--",
    "x.js",
  ]);
});

it("removes variables that load libraries into the process", () => {
  const env = {
    PATH: "/bin",
    LD_PRELOAD: "./x.so",
    LD_LIBRARY_PATH: "/app",
    DYLD_INSERT_LIBRARIES: "x",
    OPENSSL_CONF: "/app/x",
    OPENSSL_MODULES: "/app",
    GCONV_PATH: "/app",
    LDAP: "kept",
  };
  expect(fencedEnvironment(env, [])).toEqual({ PATH: "/bin", LDAP: "kept" });
});
