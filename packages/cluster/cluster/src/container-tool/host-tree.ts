import { createHash } from "node:crypto";
import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import type { StageEntry } from "./stage.ts";

/**
 * Lists a file or folder of the host as entries: `""` for itself, `/a/b` below it. A folder named
 * node_modules is referenced instead of copied, because it is large and full of links that lead out of it.
 * Other links are followed within the project.
 *
 * @param project links that lead out of this folder are skipped
 * @param ignored receives each path below the given one, `a/b`
 */
export function hostTree(
  path: string,
  project: string,
  ignored: (below: string) => boolean = () => false,
): [string, StageEntry][] {
  const found: [string, StageEntry][] = [];
  const visit = (at: string, below: string, branch: readonly string[]) => {
    if (lstatSync(at).isSymbolicLink() && !at.endsWith(`${sep}node_modules`) && !isUsable(at, project))
      return;
    const stat = statSync(at, { throwIfNoEntry: false });
    // Dangling links and sockets have no content to read.
    if (stat === undefined || !(stat.isFile() || stat.isDirectory())) return;
    if (stat.isFile()) {
      found.push([below, { type: "file", source: at, mode: stat.mode & 0o111 ? 0o755 : 0o644 }]);
      return;
    }
    if (at.endsWith(`${sep}node_modules`)) {
      found.push([below, modulesLink(at)]);
      return;
    }
    // Two folders may link to each other.
    const real = realpathSync(at);
    if (branch.includes(real)) return;
    found.push([below, { type: "folder" }]);
    for (const name of readdirSync(at).sort()) {
      const next = `${below}/${name}`;
      // An ignored folder may contain an included file: `!folder/file`.
      if (!ignored(next.slice(1)) || statSync(join(at, name), { throwIfNoEntry: false })?.isDirectory())
        visit(join(at, name), next, [...branch, real]);
    }
  };
  if (!leadsOut(path, project)) visit(path, "", []);
  return found.filter(
    ([below, entry]) => below === "" || entry.type !== "folder" || !ignored(below.slice(1)),
  );
}

/** Whether a parent folder of the path is a link out of the project. */
export function leadsOut(path: string, project: string): boolean {
  if (path === project) return false;
  const folder = realpathSync(dirname(path));
  return !`${folder}${sep}`.startsWith(`${realpathSync(project)}${sep}`);
}

/** Whether a link stays in the project and does not lead to a folder that contains it. */
function isUsable(link: string, project: string): boolean {
  if (!existsSync(link)) return false;
  const [target, place, root] = [realpathSync(link), realpathSync(dirname(link)), realpathSync(project)];
  return target.startsWith(root + sep) && !`${place}${sep}`.startsWith(target + sep);
}

/** Returns the entry by which an image refers to a node_modules folder. */
export function modulesLink(folder: string): StageEntry & { type: "link" } {
  const reads = new Set([realpathSync(folder)]);
  for (const entry of packagesOf(folder)) addReads(realpathSync(entry), reads);
  return { type: "link", target: folder, reads: [...reads].sort(), lock: lockOf(dirname(folder)) };
}

/** A linked package (of a workspace) brings its own dependencies, which may be in yet another place. */
function addReads(path: string, reads: Set<string>): void {
  if ([...reads].some((read) => path === read || path.startsWith(read + sep))) return;
  const store = path.lastIndexOf(`${sep}node_modules${sep}`);
  // Adds pnpm's whole store of a workspace, because its packages link to each other there.
  const virtual = path.indexOf(`${sep}node_modules${sep}.pnpm${sep}`);
  const folder =
    virtual >= 0
      ? path.slice(0, virtual + `${sep}node_modules`.length)
      : store >= 0
        ? path.slice(0, store + `${sep}node_modules`.length)
        : path;
  reads.add(folder);
  const own = join(folder, "node_modules");
  if (!existsSync(own)) return;
  for (const entry of packagesOf(own)) addReads(realpathSync(entry), reads);
}

/** Returns the packages in a node_modules folder, including scoped ones. */
function packagesOf(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => !name.startsWith("."))
    .flatMap((name) =>
      name.startsWith("@") ? readdirSync(join(folder, name)).map((inner) => join(name, inner)) : [name],
    )
    .map((name) => join(folder, name))
    .filter((path) => existsSync(path));
}

function lockOf(folder: string): string {
  const hash = createHash("sha256");
  for (const name of ["package-lock.json", "pnpm-lock.yaml", "yarn.lock", "package.json"]) {
    const file = join(folder, name);
    if (existsSync(file)) hash.update(name).update(readFileSync(file));
  }
  return hash.digest("hex");
}
