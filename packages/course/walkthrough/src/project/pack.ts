import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { delimiter, dirname, join, relative, sep } from "node:path";
import { promisify } from "node:util";
import { findPnpm } from "../run/find-pnpm.ts";
import type { PackedPackage } from "./lockfile.ts";

const run = promisify(execFile);

export interface PackOptions {
  /** The repository's root folder. */
  readonly root: string;
  /** Names of the workspace packages that are asked for; what they need of the workspace is packed too. */
  readonly names: readonly string[];
  readonly signal?: AbortSignal;
}

interface Manifest {
  name: string;
  version: string;
  dependencies?: Record<string, string>;
}

/**
 * Builds and packs workspace packages, as they would be published. Tarballs are kept in the repository's
 * `node_modules/.cache` by the content of what they hold, so that the second time costs nothing.
 * Throws an Error with the build's output when the build fails.
 */
export async function packWorkspace(o: PackOptions): Promise<PackedPackage[]> {
  const pnpm = findPnpm(process.env);
  if (!pnpm) throw new Error("pnpm is not there: run this through pnpm (npx --yes pnpm@12 verify)");
  const wanted = withDependencies(workspacePackages(o.root), o.names);
  await build(
    o,
    pnpm,
    wanted.map((found) => found.manifest.name),
  );
  const cache = join(o.root, "node_modules/.cache/operator-path/packed");
  mkdirSync(cache, { recursive: true });
  return Promise.all(
    wanted.map(async ({ folder, manifest }) => {
      const name = `${manifest.name.replace("@", "").replace("/", "-")}-${manifest.version}-${contentHash(o.root, folder)}.tgz`;
      const tarball = join(cache, name);
      if (!existsSync(tarball)) {
        const temporary = `${tarball}.${process.pid}`;
        const [program = "", ...args] = pnpm;
        try {
          await run(program, [...args, "pack", "--out", temporary], {
            cwd: folder,
            env: cleanEnv(pnpm.at(-1) ?? ""),
            signal: o.signal,
          });
          renameSync(temporary, tarball);
        } finally {
          rmSync(temporary, { force: true });
        }
      }
      return {
        name: manifest.name,
        version: manifest.version,
        integrity: `sha512-${createHash("sha512").update(readFileSync(tarball)).digest("base64")}`,
        tarball,
        importer: relative(o.root, folder).split(sep).join("/"),
      };
    }),
  );
}

async function build(o: PackOptions, pnpm: readonly string[], names: readonly string[]): Promise<void> {
  const turbo = join(o.root, "node_modules/.bin/turbo");
  const args = ["run", "build", "--output-logs=errors-only", ...names.map((name) => `--filter=${name}`)];
  try {
    await run(turbo, args, { cwd: o.root, env: cleanEnv(pnpm.at(-1) ?? ""), signal: o.signal });
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(`the packages that the page installs do not build:\n${stdout}${stderr}`.trimEnd());
  }
}

/** Without what pnpm tells its scripts: `npm_config_*` of the outer call would steer the inner one. */
function cleanEnv(pnpm: string): Record<string, string | undefined> {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^p?npm_(?!execpath)/i.test(name)),
  );
  return {
    ...env,
    // turbo looks for a pnpm on the PATH, tsc's shebang for a node.
    PATH: [dirname(process.execPath), dirname(pnpm), process.env.PATH ?? ""].join(delimiter),
    TURBO_TELEMETRY_DISABLED: "1",
  };
}

function workspacePackages(root: string): Map<string, { folder: string; manifest: Manifest }> {
  const found = new Map<string, { folder: string; manifest: Manifest }>();
  const packages = join(root, "packages");
  for (const wing of readdirSync(packages)) {
    for (const name of readdirSync(join(packages, wing))) {
      const folder = join(packages, wing, name);
      const file = join(folder, "package.json");
      if (!existsSync(file)) continue;
      const manifest = JSON.parse(readFileSync(file, "utf8")) as Manifest;
      found.set(manifest.name, { folder, manifest });
    }
  }
  return found;
}

function withDependencies(
  packages: ReadonlyMap<string, { folder: string; manifest: Manifest }>,
  names: readonly string[],
): { folder: string; manifest: Manifest }[] {
  const wanted = new Set<string>();
  const visit = (name: string): void => {
    if (wanted.has(name)) return;
    const found = packages.get(name);
    if (!found) throw new Error(`package.json asks for ${name}, which is no package of this repository`);
    wanted.add(name);
    for (const dependency of Object.keys(found.manifest.dependencies ?? {}))
      if (packages.has(dependency)) visit(dependency);
  };
  for (const name of names) visit(name);
  return [...wanted].flatMap((name) => packages.get(name) ?? []);
}

function contentHash(root: string, folder: string): string {
  const hash = createHash("sha256");
  const add = (file: string): void => {
    hash
      .update(`${relative(folder, file)}\0`)
      .update(readFileSync(file))
      .update("\0");
  };
  add(join(folder, "package.json"));
  // `catalog:` in a manifest is resolved from here.
  add(join(root, "pnpm-workspace.yaml"));
  for (const file of readdirSync(join(folder, "dist"), { recursive: true, withFileTypes: true })) {
    if (file.isFile()) add(join(file.parentPath, file.name));
  }
  return hash.digest("hex").slice(0, 16);
}
