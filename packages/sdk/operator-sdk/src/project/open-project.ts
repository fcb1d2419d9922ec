import { CommandError } from "../command-error.ts";
import { openTree, type Tree } from "../scaffold/tree.ts";
import { type Project, parseProject } from "./project-file.ts";

/**
 * The project in a folder.
 *
 * @throws CommandError when there is none, or its PROJECT cannot be read
 */
export function openProject(folder: string): { project: Project; tree: Tree } {
  const tree = openTree(folder);
  const text = tree.read("PROJECT");
  if (text === undefined) {
    throw new CommandError(
      "there is no PROJECT in this folder: change to the project's folder, or begin one with operator-sdk init",
    );
  }
  return { project: parseProject(text), tree };
}
