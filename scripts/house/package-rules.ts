import { existsSync } from "node:fs";
import { join } from "node:path";
import type { HousePackage } from "./packages.ts";

const namedSubpath = /^\.\/[a-z][a-z-]*$/;

/**
 * What is wrong with a package's exports map: nothing but src/index.ts, named subpaths with an index or file of their
 * own, and package.json may be reached; a pattern (`./*`) would publish every file.
 */
export function checkExports({ folder, manifest }: HousePackage, root: string): string[] {
  if (!folder.startsWith("packages/")) return [];
  const file = `${folder}/package.json`;
  if (typeof manifest.exports !== "object" || manifest.exports === null)
    return [`${file} has no exports map`];
  const map = manifest.exports as Readonly<Record<string, unknown>>;
  const problems: string[] = [];
  // Without an index, a package offers nothing to others: programs and tests.
  const hasIndex = "." in map || existsSync(join(root, folder, "src/index.ts"));
  if (hasIndex && sourceOf(map["."]) !== "./src/index.ts")
    problems.push(`${file} exports["."] does not lead to ./src/index.ts`);
  for (const [path, target] of Object.entries(map)) {
    if (path === "." || path === "./package.json") continue;
    const source = sourceOf(target);
    if (!namedSubpath.test(path)) problems.push(`${file} exports["${path}"] is not a named subpath`);
    else if (
      source === undefined ||
      !source.startsWith("./src/") ||
      !existsSync(join(root, folder, source))
    ) {
      problems.push(`${file} exports["${path}"] leads to no source file`);
    }
  }
  return problems;
}

function sourceOf(target: unknown): string | undefined {
  if (typeof target === "string") return target;
  const source = (target as Readonly<Record<string, unknown>> | null)?.["@operator-path/source"];
  return typeof source === "string" ? source : undefined;
}
