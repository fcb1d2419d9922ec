import { resolve } from "node:path";
import { readDefinitions } from "../external/definitions.ts";
import { type TypeModule, typeModules } from "../external/type-module.ts";
import { OptionError } from "../problem.ts";
import { type OutputFile, readText } from "./files.ts";

/** The result of `controller-gen types`. */
export interface TypesResult {
  readonly files: readonly OutputFile[];
  /** The modules, for output:stdout. */
  readonly stdout: string;
}

/**
 * Generates, in memory, the types of `controller-gen types FILE… [output:dir=FOLDER|output:stdout]`. The
 * default output is the current folder.
 *
 * @throws OptionError for a file that cannot be read or has no definition, and for two modules with the same
 * name
 */
export function types(args: readonly string[], cwd: string): TypesResult {
  const outputs = args.filter((arg) => arg.startsWith("output:"));
  const inputs = args.filter((arg) => !arg.startsWith("output:"));
  if (inputs.length === 0)
    throw new OptionError(
      "types needs the file of a CustomResourceDefinition: controller-gen types crd.yaml",
    );
  const [output = "output:dir=."] = outputs;
  const folder = /^output:dir=(.+)$/.exec(output)?.[1];
  if (outputs.length > 1 || (folder === undefined && output !== "output:stdout"))
    throw new OptionError(
      `types takes one output, output:dir=FOLDER or output:stdout, not ${outputs.join(" ")}`,
    );
  const modules = inputs.flatMap((file) =>
    readDefinitions(readText(resolve(cwd, file), cwd), file).flatMap(typeModules),
  );
  rejectDuplicates(modules);
  if (folder === undefined) return { files: [], stdout: modules.map(({ text }) => text).join("\n") };
  return { files: modules.map(({ name, text }) => ({ path: resolve(cwd, folder, name), text })), stdout: "" };
}

function rejectDuplicates(modules: readonly TypeModule[]): void {
  const duplicate = modules.find(({ name }, i) => modules.findIndex((one) => one.name === name) !== i);
  if (duplicate)
    throw new OptionError(`${duplicate.name} would be written twice: give each definition only once`);
}
