import { readdirSync } from "node:fs";
import { isAbsolute, join, relative, resolve } from "node:path";

const ignored = new Set(["node_modules", "dist", ".turbo", ".git", "pnpm-lock.yaml", "pnpm-workspace.yaml"]);

/**
 * Returns the sorted paths below a folder. Folders end in "/". Files that Git or the closure check ignores
 * are left out.
 */
export function listFolder(folder: string, prefix = ""): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !ignored.has(entry.name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) =>
      entry.isDirectory()
        ? [`${prefix}${entry.name}/`, ...listFolder(join(folder, entry.name), `${prefix}${entry.name}/`)]
        : [`${prefix}${entry.name}`],
    );
}

/**
 * Parses the drawing of a `tree` fence (├──, └──, │, or indentation) into the same paths. Ignores comments
 * after `#`.
 */
export function parseTree(content: string): string[] {
  const paths: string[] = [];
  const stack: { depth: number; name: string }[] = [];
  for (const line of content.split("\n")) {
    const text = line.replace(/\s+#.*$/, "").trimEnd();
    const name = text.replace(/^[\s│├└─|`+-]*/u, "").replaceAll("\u00a0", "");
    if (name === "" || /^\d+ director/.test(name) || name === ".") continue;
    const depth = text.length - name.length;
    while (stack.length > 0 && (stack.at(-1)?.depth ?? 0) >= depth) stack.pop();
    stack.push({ depth, name: name.replace(/\/$/, "") });
    const isFolder = name.endsWith("/");
    paths.push(stack.map((part) => part.name).join("/") + (isFolder ? "/" : ""));
  }
  // `tree` writes folders without a slash. A path with others below it is a folder.
  return paths
    .map((path) =>
      !path.endsWith("/") && paths.some((other) => other.startsWith(`${path}/`)) ? `${path}/` : path,
    )
    .sort();
}

/** Resolves a path of the page below a folder. Throws an Error if it leads out of the folder. */
export function pathBelow(folder: string, path: string): string {
  const full = resolve(folder, path);
  const inside = relative(folder, full);
  if (inside.startsWith("..") || isAbsolute(inside))
    throw new Error(`"${path}" leads out of the learner's folder`);
  return full;
}
