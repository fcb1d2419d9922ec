import type { StatusCause } from "../../apimachinery/errors.ts";
import type { RawSchema, ValidationRule } from "../../apimachinery/schema/schema.ts";
import { duplicate, forbidden, invalid, required } from "../../apimachinery/validation/cause.ts";
import { perCallLimit } from "../../lib/cel/environment.ts";
import { CelCostError, CelEvaluationError } from "../../lib/cel/errors.ts";
import { CelOptional, type CelValue } from "../../lib/cel/values.ts";
import { isJsonObject, type JsonValue } from "../../lib/json/json.ts";
import type { CompiledRule, RuleTree } from "./compile-rules.ts";
import { type Correlation, correlate, previousElement } from "./correlation.ts";
import { withResourceFields } from "./self-type.ts";
import { selfValue } from "./self-value.ts";

/** The highest cost of all rules in one request (RuntimeCELCostBudget of k8s.io/apiserver/pkg/apis/cel). */
const requestLimit = 10_000_000;
const maximumMessage = 5120;
/** The path that a real server reports for the object itself. */
const root = "<nil>";

/**
 * Runs the rules of a custom resource's schema. The object must be valid otherwise. Rules with `oldSelf` run
 * on an update, for values that existed before.
 *
 * @param warn called for each failed rule about an unchanged value, which is accepted (ratcheting)
 */
export function validateRules(
  tree: RuleTree,
  object: JsonValue,
  old: JsonValue | undefined,
  warn: (text: string) => void,
): StatusCause[] {
  const causes: StatusCause[] = [];
  const run = { causes, warn, left: requestLimit };
  const current = old === undefined ? undefined : correlate(object, old, tree.schema);
  try {
    visit(tree, { path: "", value: object, old, current, parent: undefined }, run);
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
  }
  return causes;
}

interface Run {
  readonly causes: StatusCause[];
  readonly warn: (text: string) => void;
  left: number;
}

/** A place in the object. */
interface Place {
  readonly path: string;
  readonly value: JsonValue;
  readonly old: JsonValue | undefined;
  readonly current: Correlation | undefined;
  /** The nearest enclosing place with a previous value. */
  readonly parent: Correlation | undefined;
}

/** Ends the evaluation: no further rules run. */
class Stop extends Error {}

function visit(tree: RuleTree, place: Place, run: Run): void {
  const { value, path } = place;
  if (value === null) return;
  runRules(tree, place, run);
  if (Array.isArray(value)) {
    const { items, schema } = tree;
    if (items === undefined) return;
    value.forEach((element, index) => {
      const old = previousElement(element, schema, place.old);
      const current = place.current?.index(index);
      visit(items, { path: `${path}[${index}]`, value: element, old, ...below(place, current) }, run);
    });
  } else if (isJsonObject(value)) {
    const before = isJsonObject(place.old) ? place.old : {};
    for (const [name, member = null] of Object.entries(value)) {
      const declared = tree.properties.get(name);
      const inner = declared ?? tree.additionalProperties;
      if (inner === undefined) continue;
      const key = declared === undefined ? `${path}[${name}]` : path === "" ? name : `${path}.${name}`;
      const old = Object.hasOwn(before, name) ? before[name] : undefined;
      visit(inner, { path: key, value: member, old, ...below(place, place.current?.key(name)) }, run);
    }
  }
}

function below({ current: outer, parent }: Place, current: Correlation | undefined) {
  return { current, parent: outer ?? parent };
}

/**
 * Runs the rules of one place. Like a real server, errors name the type instead of the value: `Invalid value:
 * "object": …`.
 */
function runRules({ rules, schema, isResource }: RuleTree, place: Place, run: Run): void {
  if (rules.length === 0) return;
  const field = place.path === "" ? root : place.path;
  const type = schema.type ?? "";
  const fail = (detail: string) => run.causes.push(invalid(field, type, detail));
  if (run.left <= 0) {
    fail("validation failed due to running out of cost budget, no further validation rules will be run");
    throw new Stop();
  }
  const variables = variablesOf(place, isResource ? withResourceFields(schema) : schema);
  for (const compiled of rules) {
    const { rule, program, error, usesOldSelf } = compiled;
    if (error !== undefined) fail(`rule compile error: ${error}`);
    if (program === undefined) continue;
    if (usesOldSelf && place.old === undefined && rule.optionalOldSelf !== true) continue;
    const given = variables(rule.optionalOldSelf === true);
    let holds: CelValue;
    try {
      holds = evaluate(program, given, run, fail);
    } catch (error) {
      if (!(error instanceof CelEvaluationError)) throw error;
      fail(describe(error, rule));
      if (error instanceof CelCostError) throw new Stop();
      continue;
    }
    if (holds !== true) report(compiled, place, schema, given, run);
  }
}

function variablesOf({ value, old }: Place, schema: RawSchema) {
  const before = old ?? undefined;
  return (optional: boolean): Record<string, unknown> => {
    const oldSelf = before === undefined ? undefined : () => selfValue(before, schema);
    return {
      self: () => selfValue(value, schema),
      ...(optional
        ? { oldSelf: () => new CelOptional(oldSelf?.()) }
        : oldSelf === undefined
          ? {}
          : { oldSelf }),
    };
  };
}

type Program = NonNullable<CompiledRule["program"]>;

/** Evaluates a rule within the request's budget. @throws CelEvaluationError or Stop */
function evaluate(
  program: Program,
  variables: Record<string, unknown>,
  run: Run,
  fail: (detail: string) => void,
): CelValue {
  const budget = { left: perCallLimit };
  try {
    return program.evaluate(variables, { budget });
  } finally {
    run.left -= perCallLimit - Math.max(budget.left, 0);
    if (run.left < 0) {
      fail("validation failed due to running out of cost budget, no further validation rules will be run");
      // biome-ignore lint/correctness/noUnsafeFinally: a result does not count when the budget is spent
      throw new Stop();
    }
  }
}

function describe(error: CelEvaluationError, rule: ValidationRule): string {
  if (error.message.startsWith("no such overload")) {
    return `'${error.message}': call arguments did not match a supported operator, function or macro signature for rule: ${nameOf(rule)}`;
  }
  if (error instanceof CelCostError) {
    return `'${error.message}': no further validation rules will be run due to call cost exceeds limit for rule: ${nameOf(rule)}`;
  }
  return `${error.message} evaluating rule: ${nameOf(rule)}`;
}

function nameOf({ rule, message = "" }: ValidationRule): string {
  return (message === "" ? rule : message).trim();
}

/** Reports a rule that does not hold. */
function report(
  { rule, messageProgram, usesOldSelf, fieldPath }: CompiledRule,
  { path, value, current, parent }: Place,
  schema: RawSchema,
  variables: Record<string, unknown>,
  run: Run,
): void {
  const inner = fieldPath === "" ? path : path === "" ? fieldPath : `${path}.${fieldPath}`;
  const field = inner === "" ? root : inner;
  const unchanged = (current ?? parent)?.unchanged === true;
  const add = (cause: StatusCause) => {
    if (unchanged && !usesOldSelf) run.warn(`${cause.field}: ${cause.message}`);
    else run.causes.push(cause);
  };
  const made = messageProgram === undefined ? undefined : messageOf(messageProgram, rule, variables, run);
  if (typeof made === "object") {
    add(invalid(field, schema.type ?? "", made.error));
    throw new Stop();
  }
  const { message = "" } = rule;
  const detail = made ?? (message === "" ? `failed rule: ${nameOf(rule)}` : message.trim());
  const isContainer = isJsonObject(value) || Array.isArray(value);
  add(causeOf(rule.reason, field, isContainer ? undefined : value, detail));
}

/**
 * Returns the message of the expression, or undefined if it has no usable one: then the rule's own message
 * counts.
 */
function messageOf(
  program: Program,
  rule: ValidationRule,
  variables: Record<string, unknown>,
  run: Run,
): string | { error: string } | undefined {
  const budget = { left: perCallLimit };
  try {
    const message = program.evaluate(variables, { budget });
    const text = typeof message === "string" ? message.trim() : "";
    return text === "" || text.includes("\n") || Buffer.byteLength(text) > maximumMessage ? undefined : text;
  } catch (error) {
    if (!(error instanceof CelEvaluationError)) throw error;
    if (!(error instanceof CelCostError)) return undefined;
    const words =
      "no further validation rules will be run due to call cost exceeds limit for messageExpression";
    return { error: `${words}: ${JSON.stringify(rule.messageExpression)}` };
  } finally {
    run.left -= perCallLimit - Math.max(budget.left, 0);
  }
}

/**
 * Returns the cause for a rule's reason. @param value undefined for objects and lists, which messages do not
 * show
 */
function causeOf(
  reason: string | undefined,
  field: string,
  value: JsonValue | undefined,
  detail: string,
): StatusCause {
  switch (reason) {
    case "FieldValueForbidden":
      return forbidden(field, detail);
    case "FieldValueRequired":
      return required(field, detail);
    case "FieldValueDuplicate":
      return value === undefined ? { reason, message: "Duplicate value", field } : duplicate(field, value);
    default:
      return value === undefined
        ? { reason: "FieldValueInvalid", message: `Invalid value: ${detail}`, field }
        : invalid(field, value, detail);
  }
}
