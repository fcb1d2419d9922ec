import { appendFileSync, copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CommandError, type ManifestOfProject, manifestWithTarballs } from "@operator-path/operator-sdk";

/** The packages' tarballs by package name: absolute paths. */
export type Tarballs = ReadonlyMap<string, string>;

const fileName = /^operator-path-(.+?)-\d+\.\d+\.\d+.*\.tgz$/;
const vendor = "vendor";

/** @throws CommandError when the folder cannot be read, or has none */
export function findTarballs(folder: string): Tarballs {
  let names: readonly string[];
  try {
    names = readdirSync(folder).sort();
  } catch (error) {
    throw new CommandError(`--tarballs ${folder} cannot be read: ${(error as Error).message}`);
  }
  const found = names.flatMap((name): [string, string][] => {
    const part = fileName.exec(name)?.[1];
    return part === undefined ? [] : [[`@operator-path/${part}`, join(folder, name)]];
  });
  if (found.length === 0) {
    throw new CommandError(
      `--tarballs ${folder} has no operator-path-….tgz: run \`pnpm dist\` in a checkout to create them`,
    );
  }
  return new Map(found);
}

/**
 * Makes a project install the packages from tarballs, and copies them into it. npm reads their paths in
 * package.json, and pnpm in pnpm-workspace.yaml.
 */
export function useTarballs(project: string, tarballs: Tarballs): void {
  mkdirSync(join(project, vendor));
  const references: Record<string, string> = {};
  for (const [name, tarball] of tarballs) {
    const reference = `${vendor}/${name.replace("@operator-path/", "")}.tgz`;
    copyFileSync(tarball, join(project, reference));
    references[name] = `file:${reference}`;
  }
  const file = join(project, "package.json");
  const manifest = JSON.parse(readFileSync(file, "utf8")) as ManifestOfProject;
  writeFileSync(file, `${JSON.stringify(manifestWithTarballs(manifest, references), undefined, 2)}\n`);
  const overrides = Object.entries(references).map(([name, reference]) => `  "${name}": ${reference}\n`);
  appendFileSync(
    join(project, "pnpm-workspace.yaml"),
    `# Until they are published, the packages come from ${vendor}/.\noverrides:\n${overrides.join("")}`,
  );
}
