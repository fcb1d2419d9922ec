import type { RawSchema, ValidationRule } from "../../apimachinery/schema/schema.ts";
import { type CelProgram, compileExpression } from "../../lib/cel/environment.ts";
import { CelCompileError, CelProgramError } from "../../lib/cel/errors.ts";
import { type CelType, formatType, optionalOf } from "../../lib/cel/types.ts";
import { readFieldPath } from "./field-path.ts";
import { isEmbedded, selfType } from "./self-type.ts";

/** A compiled rule of x-kubernetes-validations. */
export interface CompiledRule {
  readonly rule: ValidationRule;
  /** Undefined if the rule is empty or invalid. */
  readonly program: CelProgram | undefined;
  /** Why the rule is invalid, as text to follow the value in an error. */
  readonly error: string | undefined;
  readonly messageProgram: CelProgram | undefined;
  readonly messageError: string | undefined;
  /** Whether it reads `oldSelf`. */
  readonly usesOldSelf: boolean;
  /** The field that errors name, relative to the schema's path: `spec.replicas`, or "". */
  readonly fieldPath: string;
}

/** The rules of a schema and of the schemas inside it. */
export interface RuleTree {
  readonly schema: RawSchema;
  readonly isResource: boolean;
  readonly rules: readonly CompiledRule[];
  readonly items: RuleTree | undefined;
  readonly properties: ReadonlyMap<string, RuleTree>;
  readonly additionalProperties: RuleTree | undefined;
}

const known = new WeakMap<RawSchema, { tree: RuleTree | undefined }>();

/**
 * Returns the rules of a version's schema, or undefined without rules. Compiles them at the first call, and
 * caches them as long as the schema exists.
 */
export function rulesOf(schema: RawSchema): RuleTree | undefined {
  let found = known.get(schema);
  if (found === undefined) {
    found = { tree: hasRules(schema) ? treeOf(schema, true) : undefined };
    known.set(schema, found);
  }
  return found.tree;
}

function hasRules(schema: RawSchema): boolean {
  return JSON.stringify(schema).includes('"x-kubernetes-validations"');
}

/**
 * Returns the rules of a schema, or undefined without rules.
 * @param isResource whether it is the schema of a resource, at the root or embedded
 */
export function treeOf(schema: RawSchema, isResource: boolean): RuleTree | undefined {
  const type = selfType(schema, isResource);
  if (type === undefined) return undefined;
  const inner = (part: RawSchema | undefined) =>
    part === undefined ? undefined : treeOf(part, isEmbedded(part));
  const properties = new Map<string, RuleTree>();
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    // These fields have the type that every resource gives them. The schema of the resource does not count.
    if (isResource && ["apiVersion", "kind", "metadata"].includes(key)) continue;
    const tree = inner(property);
    if (tree !== undefined) properties.set(key, tree);
  }
  const rules = (schema["x-kubernetes-validations"] ?? []).map((rule) => compileRule(rule, schema, type));
  const items = inner(schema.items);
  const additionalProperties = inner(
    typeof schema.additionalProperties === "object" ? schema.additionalProperties : undefined,
  );
  const isEmpty = rules.length === 0 && properties.size === 0;
  if (isEmpty && items === undefined && additionalProperties === undefined) return undefined;
  return { schema, isResource, rules, items, properties, additionalProperties };
}

/** Compiles a rule. @param type type of `self` */
export function compileRule(rule: ValidationRule, schema: RawSchema, type: CelType): CompiledRule {
  const nothing = {
    rule,
    program: undefined,
    error: undefined,
    messageProgram: undefined,
    messageError: undefined,
    usesOldSelf: false,
    fieldPath: "",
  };
  if (rule.rule.trim() === "") return nothing;
  const variables = { self: type, oldSelf: rule.optionalOldSelf === true ? optionalOf(type) : type };
  const compiled = attempt(rule.rule, variables, "");
  if ("error" in compiled) return { ...nothing, error: compiled.error };
  const { program } = compiled;
  if (formatType(program.type) !== "bool") {
    return { ...nothing, error: "cel expression must evaluate to a bool" };
  }
  const message = compileMessage(rule, variables);
  const path = rule.fieldPath === undefined ? undefined : readFieldPath(rule.fieldPath, schema);
  return {
    rule,
    program,
    error: undefined,
    messageProgram: "program" in message ? message.program : undefined,
    messageError: "error" in message ? message.error : undefined,
    usesOldSelf: program.variables.has("oldSelf"),
    fieldPath: path ?? "",
  };
}

type Attempt = { program: CelProgram } | { error: string };

function compileMessage(
  { messageExpression = "" }: ValidationRule,
  variables: Record<string, CelType>,
): Attempt | Record<string, never> {
  if (messageExpression === "") return {};
  const compiled = attempt(messageExpression, variables, "messageExpression ");
  if ("error" in compiled || compiled.program.type.kind === "string") return compiled;
  return { error: "messageExpression must evaluate to a string" };
}

function attempt(expression: string, variables: Record<string, CelType>, what: string): Attempt {
  const instantiation = what === "" ? "program instantiation" : "instantiation";
  try {
    return { program: compileExpression(expression, { variables }) };
  } catch (error) {
    if (!(error instanceof CelCompileError)) throw error;
    const stage = error instanceof CelProgramError ? instantiation : "compilation";
    return { error: `${what}${stage} failed: ${error.message}` };
  }
}
