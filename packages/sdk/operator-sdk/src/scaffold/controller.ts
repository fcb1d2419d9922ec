import { type KindNames, kindsOf } from "../project/kind-names.ts";
import type { Project } from "../project/project-file.ts";
import { insertAt } from "./markers.ts";
import { createSuite, suite } from "./suite.ts";
import { relativeImport, renderSet } from "./templates.ts";
import type { Tree } from "./tree.ts";

export interface ControllerTemplates {
  /** The folder of templates. */
  readonly set: string;
  /** The values for the templates besides the kind's names. */
  readonly view: Readonly<Record<string, string | boolean>>;
  /** Whether to overwrite existing files. */
  readonly force: boolean;
}

/**
 * Adds a controller of a kind with its test and the test suite, and registers it in src/main.ts.
 *
 * @throws CommandError if a marker of src/main.ts is missing
 */
export function addController(
  tree: Tree,
  project: Project,
  names: KindNames,
  { set, view, force }: ControllerTemplates,
): void {
  const suiteImport = relativeImport(names.controllerFolder, suite);
  for (const { path, text } of renderSet(set, { ...names, ...view, suiteImport })) {
    tree.create(path, text, { overwrite: force });
  }
  createSuite(tree, kindsOf(project), project.projectName);
  const setup = `setup${names.kind}${names.ofGroup}`;
  const file = `../${names.controllerFolder}/${names.kindLower}.controller.ts`;
  insertAt(tree, "src/main.ts", "imports", `import { setupWithManager as ${setup} } from "${file}";`);
  insertAt(tree, "src/main.ts", "builder", `${setup}(manager);`);
}
