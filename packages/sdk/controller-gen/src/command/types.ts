import { resolve } from "node:path";
import { readDefinitions } from "../external/definitions.ts";
import { type TypeModule, typeModules } from "../external/type-module.ts";
import { OptionError } from "../option-error.ts";
import { type OutputFile, readText } from "./files.ts";

/** What `controller-gen types` makes. */
export interface TypesResult {
  readonly files: readonly OutputFile[];
  /** With output:stdout. */
  readonly stdout: string;
}

/**
 * Makes the types of `controller-gen types FILE… [output:dir=FOLDER|output:stdout]` in memory. Without an output, files go to the
 * current folder.
 *
 * @throws OptionError for a file that cannot be read or has no definition, and for two modules of one name
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
  refuseDoubles(modules);
  if (folder === undefined) return { files: [], stdout: modules.map(({ text }) => text).join("\n") };
  return { files: modules.map(({ name, text }) => ({ path: resolve(cwd, folder, name), text })), stdout: "" };
}

function refuseDoubles(modules: readonly TypeModule[]): void {
  const double = modules.find(({ name }, i) => modules.findIndex((one) => one.name === name) !== i);
  if (double) throw new OptionError(`${double.name} would be written twice: the definition is given twice`);
}
