import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/**
 * Returns the name of the folder with an operator of the learner's own kind, which the capstone asks for: one with a
 * capstone.yaml, while the project of the page's example does not exist. Undefined without such a folder.
 *
 * @param work the folder that takes the place of the tutorial's
 * @param project name of the example's folder
 */
export function ownOperatorIn(work: string, project: string): string | undefined {
  if (existsSync(join(work, project)) || !existsSync(work)) return undefined;
  return readdirSync(work).find((folder) => existsSync(join(work, folder, "capstone.yaml")));
}
