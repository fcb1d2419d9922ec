import { closest } from "../closest.ts";
import type { Argument } from "../markers/argument.ts";
import { type MarkerDefinition, type MarkerField, parseMarker, splitMarker } from "../markers/definition.ts";
import { OptionError } from "../option-error.ts";

/** What a run is asked for. Generators that are not asked for are undefined. */
export interface Options {
  readonly generators: Readonly<Partial<Record<GeneratorName, GeneratorOptions>>>;
  readonly paths: readonly string[];
  /** By generator; "" is for all that have none of their own. */
  readonly outputs: Readonly<Record<string, Output>>;
}

export type GeneratorName = "crd" | "rbac" | "webhook" | "object" | "docs";

export type GeneratorOptions = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** Where files go. */
export type Output =
  | { readonly kind: "dir"; readonly path: string }
  | { readonly kind: "stdout" }
  | { readonly kind: "none" }
  /** Configuration to one folder, code to another, or beside what it was made from. */
  | { readonly kind: "artifacts"; readonly config: string; readonly code?: string };

const optional = (type: "string" | "bool" | "int"): MarkerField => ({ argument: { type }, optional: true });
const header = { headerFile: optional("string"), year: optional("string") };
const list: Argument = { type: "slice", item: { type: "string" } };

/** As in controller-tools; what has no meaning in TypeScript is missing. */
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

const withoutMeaning = ["applyconfiguration", "schemapatch"];

/**
 * Options as controller-gen takes them: `crd:maxDescLen=0 paths=./... output:crd:dir=config/crd`.
 *
 * @throws OptionError for one that is unknown, wrong, missing or given twice
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
        throw new OptionError(`${generator.name} is given twice: join the two with a comma`);
      const value = parse(generator, arg) as GeneratorOptions;
      generators[key] = value;
      if (key === "crd") checkVersions(value);
    }
  }
  const asked = Object.keys(generators);
  if (asked.length === 0) {
    throw new OptionError(
      `nothing is to be generated: name one of ${generatorDefinitions.map(({ name }) => name).join(", ")}`,
    );
  }
  for (const generator of Object.keys(outputs)) {
    if (generator !== "" && !asked.includes(generator)) {
      throw new OptionError(
        `output:${generator}: ${generator} itself is not asked for: add ${generator}, or leave its output out`,
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
      `${arg}: there is no output ${form}: ${near === undefined ? `there are ${forms}` : `did you mean ${near}?`}`,
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
  if (other !== undefined) throw new OptionError(`crd:crdVersions=${other}: servers have v1 alone`);
}

function unknownOption(arg: string, first: string): OptionError {
  if (withoutMeaning.includes(first))
    return new OptionError(`${arg}: ${first} makes Go code, and nothing for TypeScript`);
  const known = [...generatorDefinitions.map(({ name }) => name), "paths", "output"];
  const near = closest(first, known);
  const out = near === undefined ? `there are ${known.join(", ")}` : `did you mean ${near}?`;
  return new OptionError(`there is no option ${arg}: ${out}`);
}

function definition(name: string, args: MarkerDefinition["arguments"]): MarkerDefinition {
  return { name, targets: ["package"], arguments: args, help: "" };
}
