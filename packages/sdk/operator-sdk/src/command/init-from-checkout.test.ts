import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import semver from "semver";
import { expect, test, vi } from "vitest";
import { parse } from "yaml";
import { initLine, openFolder } from "../testing/scaffolds.ts";
import { findCheckout } from "../workspace/find-checkout.ts";

type Dependencies = Record<string, { specifier: string; version: string }>;
interface Lockfile {
  overrides: Record<string, string>;
  importers: Record<string, { dependencies: Dependencies; devDependencies: Dependencies }>;
  packages: Record<string, { version?: string }>;
  snapshots: Record<string, { dependencies?: Record<string, string> }>;
}

const checkout = findCheckout() ?? "";

test("a checkout's init locks a project to its tarballs and to versions that package.json allows", async () => {
  using folder = openFolder();
  expect(await folder.run(initLine, { checkout })).toMatchObject({ code: 0, stderr: "" });
  const manifest = JSON.parse(folder.read("package.json"));
  const lockfile = parse(folder.read("pnpm-lock.yaml")) as Lockfile;
  const settings = parse(folder.read("pnpm-workspace.yaml"));
  expect(settings.overrides).toEqual(lockfile.overrides);
  for (const reference of Object.values(lockfile.overrides)) {
    expect(existsSync(resolve(folder.cwd, reference.replace(/^file:/, "")))).toBe(true);
  }
  const { dependencies, devDependencies } = lockfile.importers["."] ?? {};
  const locked = { ...dependencies, ...devDependencies };
  const requested: Record<string, string> = { ...manifest.dependencies, ...manifest.devDependencies };
  expect(Object.keys(locked).sort()).toEqual(Object.keys(requested).sort());
  for (const [name, range] of Object.entries(requested)) {
    const { version = "" } = locked[name] ?? {};
    const found = version.startsWith("file:")
      ? lockfile.packages[`${name}@${version}`]?.version
      : version.replace(/\(.*/, "");
    expect(semver.satisfies(found ?? "", range), `${name} ${found} is ${range}`).toBe(true);
  }
  // pnpm checks engines against the project's own Node. npm and pnpm allow the install script of that Node.
  expect(locked.node?.version).toBe(settings.nodeVersion);
  expect(manifest.allowScripts).toEqual(settings.allowBuilds);
  const missing = Object.entries(lockfile.snapshots).flatMap(([key, snapshot]) =>
    Object.entries(snapshot.dependencies ?? {})
      .filter(([name, version]) => !lockfile.snapshots[`${name}@${version}`] && !lockfile.snapshots[version])
      .map(([name, version]) => `${key} needs ${name}@${version}`),
  );
  expect(missing).toEqual([]);
  expect(folder.read("pnpm-lock.yaml")).not.toMatch(/link:|https?:/);
});

test("rejects an existing lockfile", async () => {
  using folder = openFolder();
  writeFileSync(join(folder.cwd, "pnpm-lock.yaml"), "mine");
  const rejected = await folder.run(initLine, { checkout });
  expect(rejected.code).toBe(1);
  expect(rejected.stderr).toBe(
    "Error: pnpm-lock.yaml already exists: move it away first; nothing was written\n",
  );
  expect(folder.files()).toEqual({ "pnpm-lock.yaml": "mine" });
});

test("names a checkout whose packages cannot be packed, and writes nothing", async () => {
  using folder = openFolder();
  using damaged = openFolder("damaged");
  const rejected = await folder.run(initLine, { checkout: damaged.cwd });
  expect(rejected.code).toBe(1);
  expect(rejected.stderr).toMatch(
    /^Error: the libraries of \S+damaged cannot be packed: ENOENT: .*; nothing was written\n$/,
  );
  expect(folder.files()).toEqual({});
});

const memory = "/dev/shm";
const otherFileSystem = existsSync(memory) && statSync(memory).dev !== statSync(checkout).dev;

test.skipIf(!otherFileSystem)(
  "names the checkout's store on another file system, where pnpm would have an empty one",
  async () => {
    vi.stubEnv("TMPDIR", memory);
    using folder = openFolder();
    vi.unstubAllEnvs();
    await folder.run(initLine, { checkout });
    const { storeDir } = parse(folder.read("pnpm-workspace.yaml"));
    // pnpm appends the version of its format.
    const state = parse(readFileSync(join(checkout, "node_modules/.modules.yaml"), "utf8"));
    expect(state.storeDir).toMatch(new RegExp(`^${storeDir}/v\\d+$`));
  },
);
