import type { Argument } from "../markers/argument.ts";
import { type MarkerDefinition, type MarkerField, parseMarker, splitMarker } from "../markers/definition.ts";
import { closest, OptionError } from "../problem.ts";

/** The parsed command line of a run. */
export interface Options {
  /** The arguments of each generator that runs. */
  readonly generators: Readonly<Partial<Record<GeneratorName, GeneratorOptions>>>;
  readonly paths: readonly string[];
  /** Outputs by generator. The key "" is for generators without an output of their own. */
  readonly outputs: Readonly<Record<string, Output>>;
}

/** The name of a generator on the command line. */
export type GeneratorName = "crd" | "rbac" | "webhook" | "object" | "docs";

/** The arguments of a generator by name: `crd:maxDescLen=0` has `{ maxDescLen: 0 }`. */
export type GeneratorOptions = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** Where a generator writes its files. */
export type Output =
  | { readonly kind: "dir"; readonly path: string }
  | { readonly kind: "stdout" }
  | { readonly kind: "none" }
  /** Writes configuration to one folder, and code to another or, without `code`, beside its types. */
  | { readonly kind: "artifacts"; readonly config: string; readonly code?: string };

const optional = (type: "string" | "bool" | "int"): MarkerField => ({ argument: { type }, optional: true });
const header = { headerFile: optional("string"), year: optional("string") };
const list: Argument = { type: "slice", item: { type: "string" } };

/** The generators and their arguments. They are those of controller-tools, without the ones for Go alone. */
export const generatorDefinitions: readonly MarkerDefinition[] = [
  {
    name: "crd",
    targets: ["package"],
    arguments: {
      kind: "fields",
      fields: {
        allowDangerousTypes: optional("bool"),
        crdVersions: { argument: list, optional: true },
        generateEmbeddedObjectMeta: optional("bool"),
        ...header,
        maxDescLen: optional("int"),
      },
    },
    help: "CustomResourceDefinitions",
  },
  {
    name: "rbac",
    targets: ["package"],
    arguments: {
      kind: "fields",
      fields: { roleName: { argument: { type: "string" } }, fileName: optional("string"), ...header },
    },
    help: "a ClusterRole or Roles",
  },
  {
    name: "webhook",
    targets: ["package"],
    arguments: { kind: "fields", fields: header },
    help: "webhook configurations",
  },
  {
    name: "object",
    targets: ["package"],
    arguments: { kind: "fields", fields: header },
    help: "zz_generated.resources.ts: resource, validator and defaults of each kind",
  },
  {
    name: "docs",
    targets: ["package"],
    arguments: { kind: "fields", fields: {} },
    help: "reference documentation in Markdown",
  },
];

const outputForms: Readonly<Record<string, MarkerDefinition["arguments"]>> = {
  dir: { kind: "value", argument: { type: "string" } },
  stdout: { kind: "none" },
  none: { kind: "none" },
  artifacts: {
    kind: "fields",
    fields: { config: { argument: { type: "string" } }, code: optional("string") },
  },
};

const goGenerators = ["applyconfiguration", "schemapatch"];

/**
 * Parses the options of controller-gen: `crd:maxDescLen=0 paths=./... output:crd:dir=config/crd`.
 *
 * @throws OptionError for an option that is unknown, invalid, missing or given twice
 */
export function parseOptions(args: readonly string[]): Options {
  const generators: Partial<Record<GeneratorName, GeneratorOptions>> = {};
  const outputs: Record<string, Output> = {};
  const paths: string[] = [];
  for (const arg of args) {
    const { full, name } = splitMarker(`+${arg}`);
    const [first = ""] = full.split(":");
    if (full === "paths")
      paths.push(...(parse(definition("paths", { kind: "value", argument: list }), arg) as string[]));
    else if (first === "output") addOutput(arg, outputs);
    else {
      const generator = generatorDefinitions.find((each) => each.name === full || each.name === name);
      if (generator === undefined) throw unknownOption(arg, first);
      const key = generator.name as GeneratorName;
      if (generators[key] !== undefined)
        throw new OptionError(`${generator.name} is given twice: join its arguments with a comma`);
      const value = parse(generator, arg) as GeneratorOptions;
      generators[key] = value;
      if (key === "crd") checkVersions(value);
    }
  }
  const names = Object.keys(generators);
  if (names.length === 0) {
    throw new OptionError(
      `there is no generator: add one of ${generatorDefinitions.map(({ name }) => name).join(", ")}`,
    );
  }
  for (const generator of Object.keys(outputs)) {
    if (generator !== "" && !names.includes(generator)) {
      throw new OptionError(
        `output:${generator}: the generator ${generator} is missing: add ${generator}, or remove its output`,
      );
    }
  }
  return { generators, outputs, paths: paths.length === 0 ? ["."] : paths };
}

function addOutput(arg: string, outputs: Record<string, Output>): void {
  const [, second = "", third = ""] = splitMarker(`+${arg}`).full.split(":");
  const ofGenerator = generatorDefinitions.some(({ name }) => name === second);
  const [generator, form] = ofGenerator ? [second, third] : ["", second];
  const args = Object.hasOwn(outputForms, form) ? outputForms[form] : undefined;
  if (args === undefined) {
    const near = closest(form, Object.keys(outputForms));
    const forms = Object.keys(outputForms).join(", ");
    throw new OptionError(
      `${arg}: there is no output ${form}: ${near === undefined ? `the outputs are ${forms}` : `did you mean ${near}?`}`,
    );
  }
  if (outputs[generator] !== undefined)
    throw new OptionError(`${arg}: the output${generator && ` of ${generator}`} is given twice`);
  const prefix = generator === "" ? "output" : `output:${generator}`;
  const value = parse(definition(`${prefix}:${form}`, args), arg);
  outputs[generator] =
    form === "dir"
      ? { kind: "dir", path: String(value) }
      : form === "artifacts"
        ? { kind: "artifacts", ...(value as { config: string; code?: string }) }
        : { kind: form as "stdout" | "none" };
}

function parse(option: MarkerDefinition, arg: string): unknown {
  try {
    return parseMarker(option, `+${arg}`);
  } catch (error) {
    throw new OptionError(`${arg}: ${(error as Error).message}`);
  }
}

function checkVersions({ crdVersions }: GeneratorOptions): void {
  const other = (crdVersions as readonly string[] | undefined)?.find((version) => version !== "v1");
  if (other !== undefined) throw new OptionError(`crd:crdVersions=${other}: servers only support v1`);
}

function unknownOption(arg: string, first: string): OptionError {
  if (goGenerators.includes(first)) return new OptionError(`${arg}: ${first} generates Go code only`);
  const known = [...generatorDefinitions.map(({ name }) => name), "paths", "output"];
  const near = closest(first, known);
  const suggestion = near === undefined ? `the options are ${known.join(", ")}` : `did you mean ${near}?`;
  return new OptionError(`there is no option ${arg}: ${suggestion}`);
}

function definition(name: string, args: MarkerDefinition["arguments"]): MarkerDefinition {
  return { name, targets: ["package"], arguments: args, help: "" };
}
