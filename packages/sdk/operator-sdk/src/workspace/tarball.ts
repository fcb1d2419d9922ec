import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join, relative, sep } from "node:path";
import { create } from "tar";
import { parse } from "yaml";
import { packedLinks } from "./packed-links.ts";
import { type Publication, readPublication, repositoryPage } from "./publication.ts";
import type { Manifest, WorkspacePackage } from "./workspace-packages.ts";

/** The export condition of the workspace. Tarballs do not contain its targets, the sources. */
const sourceCondition = "@operator-path/source";

/** Returns the versions of the catalog, to which `catalog:` refers, by package. */
export function readCatalog(root: string): Readonly<Record<string, string>> {
  const text = readFileSync(join(root, "pnpm-workspace.yaml"), "utf8");
  return (parse(text) as { catalog?: Record<string, string> }).catalog ?? {};
}

/**
 * Writes the tarball of a package, as it would be published. The same sources produce the same bytes.
 *
 * @param options.compiled the folder with its JavaScript, which becomes `dist`
 * @param options.folder a temporary folder for the content of the tarball
 * @param options.file the path of the tarball
 * @param options.versions the versions of the workspace packages by name
 */
export async function writeTarball(
  root: string,
  { folder: source, importer, manifest }: WorkspacePackage,
  options: { compiled: string; folder: string; file: string; versions: ReadonlyMap<string, string> },
): Promise<void> {
  const layout = join(options.folder, "package");
  mkdirSync(layout, { recursive: true });
  const publication = readPublication(root);
  const published = {
    ...publishedManifest(manifest, readCatalog(root), options.versions),
    ...originOf(importer, publication),
  };
  writeFileSync(join(layout, "package.json"), `${JSON.stringify(published, undefined, 2)}\n`);
  copyFileSync(join(root, "LICENSE"), join(layout, "LICENSE"));
  for (const name of ["README.md", "CHANGELOG.md", ...(manifest.files ?? [])]) {
    const from = name === "dist" ? options.compiled : join(source, name);
    if (existsSync(from)) cpSync(from, join(layout, name), { recursive: true });
  }
  const files = readdirSync(layout, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(options.folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .sort();
  const repository = publication.repository && repositoryPage(publication.repository);
  for (const file of files.filter((name) => name.endsWith(".md"))) {
    const path = join(options.folder, file);
    const text = packedLinks(readFileSync(path, "utf8"), {
      path: file.replace("package", importer),
      isPacked: (target) => existsSync(join(layout, relative(importer, target))),
      ...(repository !== undefined && { repository }),
    });
    writeFileSync(path, text);
  }
  // This is the date that npm uses. Some programs reject files without a date.
  const mtime = new Date("1985-10-26T08:15:00Z");
  await create({ file: options.file, cwd: options.folder, gzip: true, portable: true, mtime }, files);
}

/**
 * Returns the package.json to publish, without the workspace's ranges and conditions and without development
 * fields.
 */
function publishedManifest(
  manifest: Manifest,
  catalog: Readonly<Record<string, string>>,
  versions: ReadonlyMap<string, string>,
): Record<string, unknown> {
  const { devDependencies: _, scripts: __, private: ___, "operator-path": ____, ...published } = manifest;
  const ranges = (dependencies: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(dependencies).map(([name, range]) => {
        const version = range.startsWith("workspace:")
          ? `${range.slice("workspace:".length).replace("*", "")}${versions.get(name)}`
          : range === "catalog:"
            ? catalog[name]
            : range;
        if (version === undefined) throw new Error(`${manifest.name}: the catalog has no ${name}`);
        return [name, version];
      }),
    );
  return {
    ...published,
    exports: withoutSources(manifest.exports),
    dependencies: ranges(manifest.dependencies ?? {}),
    ...(manifest.peerDependencies && { peerDependencies: ranges(manifest.peerDependencies) }),
  };
}

function originOf(importer: string, { repository, ...others }: Publication): Record<string, unknown> {
  return { ...others, ...(repository && { repository: { ...repository, directory: importer } }) };
}

function withoutSources(map: unknown): unknown {
  if (typeof map !== "object" || map === null) return map;
  return Object.fromEntries(
    Object.entries(map)
      .filter(([condition]) => condition !== sourceCondition)
      .map(([key, target]) => [key, withoutSources(target)] as const)
      // A subpath for the workspace alone.
      .filter(([, target]) => typeof target !== "object" || Object.keys(target ?? {}).length > 0),
  );
}
