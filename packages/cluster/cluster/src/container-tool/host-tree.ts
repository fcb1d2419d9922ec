import { createHash } from "node:crypto";
import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import type { StageEntry } from "./stage.ts";

/**
 * A file or folder of the host as entries: `""` for itself, `/a/b` below it. A folder named node_modules is referred to,
 * not copied: its contents are large, and full of links that lead out of it. Other links are followed within the project.
 *
 * @param project links out of this folder are left out: nobody asked for what is there
 * @param ignored told of each path below the one given, `a/b`
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
    // A link that leads nowhere, a socket: nothing that a program could read.
    if (stat === undefined || !(stat.isFile() || stat.isDirectory())) return;
    if (stat.isFile()) {
      found.push([below, { type: "file", source: at, mode: stat.mode & 0o111 ? 0o755 : 0o644 }]);
      return;
    }
    if (at.endsWith(`${sep}node_modules`)) {
      found.push([below, modulesLink(at)]);
      return;
    }
    // Two folders may have links to each other.
    const real = realpathSync(at);
    if (branch.includes(real)) return;
    found.push([below, { type: "folder" }]);
    for (const name of readdirSync(at).sort()) {
      const next = `${below}/${name}`;
      // What is in an ignored folder may still be wanted: `!folder/file`.
      if (!ignored(next.slice(1)) || statSync(join(at, name), { throwIfNoEntry: false })?.isDirectory())
        visit(join(at, name), next, [...branch, real]);
    }
  };
  if (!leadsOut(path, project)) visit(path, "", []);
  return found.filter(
    ([below, entry]) => below === "" || entry.type !== "folder" || !ignored(below.slice(1)),
  );
}

/** Whether a folder above the path is a link out of the project. */
export function leadsOut(path: string, project: string): boolean {
  if (path === project) return false;
  const folder = realpathSync(dirname(path));
  return !`${folder}${sep}`.startsWith(`${realpathSync(project)}${sep}`);
}

/** A link that leads somewhere in the project, and not to a folder that it lies in itself. */
function isUsable(link: string, project: string): boolean {
  if (!existsSync(link)) return false;
  const [target, place, root] = [realpathSync(link), realpathSync(dirname(link)), realpathSync(project)];
  return target.startsWith(root + sep) && !`${place}${sep}`.startsWith(target + sep);
}

/** A node_modules folder as an image refers to it. */
export function modulesLink(folder: string): StageEntry & { type: "link" } {
  const reads = new Set([realpathSync(folder)]);
  for (const entry of packagesOf(folder)) addReads(realpathSync(entry), reads);
  return { type: "link", target: folder, reads: [...reads].sort(), lock: lockOf(dirname(folder)) };
}

/** A package that is linked from elsewhere (a workspace) brings its own dependencies, which may be elsewhere again. */
function addReads(path: string, reads: Set<string>): void {
  if ([...reads].some((read) => path === read || path.startsWith(read + sep))) return;
  const store = path.lastIndexOf(`${sep}node_modules${sep}`);
  // pnpm's store of a workspace: all of it, since its packages refer to each other there.
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

/** The packages in a node_modules folder, scoped ones included. */
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
