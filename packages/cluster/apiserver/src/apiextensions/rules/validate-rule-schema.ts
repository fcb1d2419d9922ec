import type { StatusCause } from "../../apimachinery/errors.ts";
import type { RawSchema, ValidationRule } from "../../apimachinery/schema/schema.ts";
import { invalid, notSupported, required } from "../../apimachinery/validation/cause.ts";
import { type CompiledRule, compileRule } from "./compile-rules.ts";
import { readFieldPath } from "./field-path.ts";
import { type CostLedger, createCostLedger } from "./rule-costs.ts";
import { isEmbedded, selfType } from "./self-type.ts";

/**
 * Validates all rules of a definition's schema (ValidateCustomResourceDefinitionOpenAPISchema). They must
 * compile, and rules with `oldSelf` must be in a place with a known old value.
 *
 * @param schema must be structural
 * @param path path of the schema in the definition
 */
export function validateRuleSchema(schema: RawSchema, path: string): StatusCause[] {
  const root: Place = { path, schema, isResource: true, atomic: undefined, count: 1 };
  const form = walk(root, validateForm);
  // Rules are compiled only if all of them are well-formed, because one error causes others.
  if (form.length > 0) return form;
  const ledger = createCostLedger();
  const causes = walk(root, (rules, place) => validateMeaning(rules, place, ledger));
  return [...causes, ...ledger.settle(path)];
}

interface Place {
  readonly path: string;
  readonly schema: RawSchema;
  readonly isResource: boolean;
  /** The enclosing list whose elements have no known old value. */
  readonly atomic: string | undefined;
  /** How often the schema can occur in an object. Undefined without a limit. */
  readonly count: number | undefined;
}

type Check = (rules: readonly ValidationRule[], place: Place) => StatusCause[];

function walk(place: Place, check: Check): StatusCause[] {
  const { schema, path, atomic } = place;
  const { properties = {}, items, additionalProperties } = schema;
  const each = elementsOf(schema);
  const count = each === undefined || place.count === undefined ? undefined : each * place.count;
  const inner = (part: RawSchema, partPath: string, above = atomic) =>
    walk({ path: partPath, schema: part, isResource: isEmbedded(part), atomic: above, count }, check);
  const rules = schema["x-kubernetes-validations"] ?? [];
  const isMap = schema["x-kubernetes-list-type"] === "map";
  return [
    ...Object.entries(properties).flatMap(([key, property]) => inner(property, `${path}.properties[${key}]`)),
    ...(typeof additionalProperties === "object"
      ? inner(additionalProperties, `${path}.additionalProperties`)
      : []),
    ...(items === undefined ? [] : inner(items, `${path}.items`, isMap ? atomic : (atomic ?? path))),
    ...(rules.length === 0 ? [] : check(rules, place)),
  ];
}

/** Returns how many values of each member a schema allows. Undefined without a limit. */
function elementsOf({ type, maxItems, maxProperties, additionalProperties }: RawSchema): number | undefined {
  if (type === "array") return maxItems;
  return type === "object" && additionalProperties !== undefined ? maxProperties : 1;
}

const reasons = ["FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"];

function validateForm(rules: readonly ValidationRule[], { path, schema }: Place): StatusCause[] {
  return rules.flatMap((rule, index) => {
    const place = `${path}.x-kubernetes-validations[${index}]`;
    return [
      ...validateTexts(rule, place),
      ...validateReason(rule, place),
      ...validateFieldPath(rule, schema, place),
    ];
  });
}

function validateTexts({ rule = "", message = "", messageExpression = "" }: ValidationRule, place: string) {
  const causes: StatusCause[] = [];
  const [text, words] = [rule.trim(), message.trim()];
  if (text === "") causes.push(required(`${place}.rule`, "rule is not specified"));
  else if (message !== "" && words === "") {
    causes.push(invalid(`${place}.message`, message, "must be non-empty if specified"));
  } else if (words.includes("\n")) {
    causes.push(invalid(`${place}.message`, message, "must not contain line breaks"));
  } else if (text.includes("\n") && words === "") {
    causes.push(required(`${place}.message`, "message must be specified if rule contains line breaks"));
  }
  if (messageExpression !== "" && messageExpression.trim() === "") {
    const detail = "messageExpression must be non-empty if specified";
    causes.push(required(`${place}.messageExpression`, detail));
  }
  return causes;
}

function validateReason({ reason }: ValidationRule, place: string): StatusCause[] {
  if (reason === undefined || reasons.includes(reason)) return [];
  return [notSupported(`${place}.reason`, reason, reasons)];
}

function validateFieldPath({ fieldPath = "" }: ValidationRule, schema: RawSchema, place: string) {
  if (fieldPath === "") return [];
  const causes: StatusCause[] = [];
  const field = `${place}.fieldPath`;
  if (fieldPath.trim() === "") causes.push(invalid(field, fieldPath, "must be non-empty if specified"));
  if (fieldPath.includes("\n")) causes.push(invalid(field, fieldPath, "must not contain line breaks"));
  if (readFieldPath(fieldPath, schema) === undefined) {
    causes.push(invalid(field, fieldPath, "must be a valid path"));
  }
  return causes;
}

function validateMeaning(rules: readonly ValidationRule[], place: Place, ledger: CostLedger): StatusCause[] {
  const { path, schema, isResource } = place;
  const type = selfType(schema, isResource);
  return rules.flatMap((rule, index) => {
    const field = `${path}.x-kubernetes-validations[${index}]`;
    if (type === undefined) {
      const message =
        "Internal error: internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations";
      return [{ reason: "InternalError", message, field: `${path}.x-kubernetes-validations` }];
    }
    const compiled = compileRule(rule, schema, type);
    return [...ledger.charge(compiled, field, place), ...validateCompiled(compiled, field, place)];
  });
}

function validateCompiled(compiled: CompiledRule, field: string, { atomic }: Place): StatusCause[] {
  const { rule, error, messageError, usesOldSelf } = compiled;
  const causes: StatusCause[] = [];
  if (error !== undefined) causes.push(invalid(`${field}.rule`, internalRule(rule), error));
  if (messageError !== undefined) {
    causes.push(invalid(`${field}.messageExpression`, internalRule(rule), messageError));
  }
  if (usesOldSelf && atomic !== undefined) {
    const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${atomic}`;
    causes.push(invalid(`${field}.rule`, rule.rule, detail));
  } else if (!usesOldSelf && rule.optionalOldSelf !== undefined) {
    const detail = "may not be set if oldSelf is not used in rule";
    causes.push(invalid(`${field}.optionalOldSelf`, rule.optionalOldSelf, detail));
  }
  return causes;
}

/** Returns a rule in a real server's internal form. */
function internalRule(rule: ValidationRule): Record<string, unknown> {
  return {
    Rule: rule.rule,
    Message: rule.message ?? "",
    MessageExpression: rule.messageExpression ?? "",
    Reason: rule.reason ?? null,
    FieldPath: rule.fieldPath ?? "",
    OptionalOldSelf: rule.optionalOldSelf ?? null,
  };
}
