import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, posix, relative } from "node:path";
import { formatProblem, generate, parseOptions } from "@operator-path/controller-gen";
import { CommandError } from "../command-error.ts";
import type { Tree } from "./tree.ts";
import { reasonOf } from "./write-all.ts";

/**
 * Adds the files that `make generate` would write for a folder of types to the changes. Works in a copy of
 * the project, because the types may not be on disk yet.
 *
 * @throws CommandError with the first problem of existing types
 */
export function generateInto(tree: Tree, root: string, folder: string): void {
  const copy = mkdtempSync(join(tmpdir(), "operator-sdk-"));
  try {
    const changed = new Set(tree.changed());
    for (const path of new Set([...sources(root), ...changed])) {
      if (!path.endsWith(".ts")) continue;
      mkdirSync(dirname(join(copy, path)), { recursive: true });
      writeFileSync(
        join(copy, path),
        (changed.has(path) ? tree.read(path) : readFileSync(join(root, path))) ?? "",
      );
    }
    const { files, problems } = generate(parseOptions(["object", `paths=./${folder}`]), copy);
    const [problem] = problems;
    if (problem) {
      throw new CommandError(
        `${formatProblem(problem)}; fix the types in ${folder} first; nothing was written`,
      );
    }
    for (const { path, text } of files) tree.create(relative(copy, path), text, { overwrite: true });
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`cannot generate code for ${folder}: ${reasonOf(error)}; nothing was written`);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Returns all files of the project, because types may be imported from any of them. */
function sources(root: string): string[] {
  const walk = (folder: string): string[] =>
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = posix.join(folder, entry.name);
      if (/^[._]|^(node_modules|dist)$/.test(entry.name)) return [];
      if (entry.isDirectory()) return walk(path);
      const isFile = entry.isFile() || statSync(join(root, path), { throwIfNoEntry: false })?.isFile();
      return isFile ? [path] : [];
    });
  return walk("");
}
