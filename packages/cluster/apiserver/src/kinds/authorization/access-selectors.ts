import { ApiStatusError, type StatusCause } from "../../apimachinery/errors.ts";
import { parseFieldSelector } from "../../apimachinery/selectors/fields.ts";
import { parseLabelSelector } from "../../apimachinery/selectors/labels.ts";
import { forbidden, invalid, required } from "../../apimachinery/validation/cause.ts";
import { isLabelValue, isQualifiedName } from "../../lib/formats/names.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json/json.ts";
import { objects, text, texts } from "../../lib/json/read.ts";

// The selectors of authorization/v1 ResourceAttributes. RBAC ignores them. They are validated, and the status
// names the parts that cannot be parsed.

const path = "spec.resourceAttributes";

/** Validates the selectors of a review (pkg/apis/authorization/validation). */
export function validateSelectors(resource: JsonObject): StatusCause[] {
  return [
    ...validateSelector(resource.fieldSelector, `${path}.fieldSelector`, validateFieldKey),
    ...validateSelector(resource.labelSelector, `${path}.labelSelector`, validateLabel),
  ];
}

function validateSelector(
  selector: JsonValue | undefined,
  field: string,
  validateRequirement: (requirement: JsonObject, field: string) => StatusCause[],
): StatusCause[] {
  if (!isJsonObject(selector)) return [];
  const raw = text(selector.rawSelector);
  const requirements = objects(selector.requirements);
  const causes: StatusCause[] = [];
  if (raw !== "" && requirements.length > 0) {
    causes.push(invalid(`${field}.rawSelector`, raw, "may not specified at the same time as requirements"));
  }
  if (raw === "" && requirements.length === 0) {
    const why = `when ${field} is specified, requirements or rawSelector is required`;
    causes.push(required(`${field}.requirements`, why));
  }
  const each = requirements.flatMap((requirement, index) => {
    const inner = `${field}.requirements[${index}]`;
    return [...validateValues(requirement, inner), ...validateRequirement(requirement, inner)];
  });
  return [...causes, ...each];
}

/**
 * Validates the values of a requirement. Unknown operators are accepted, because a newer client may use them.
 */
function validateValues({ operator, values }: JsonObject, field: string): StatusCause[] {
  const count = texts(values).length;
  if ((operator === "In" || operator === "NotIn") && count === 0) {
    return [required(`${field}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
  }
  if ((operator === "Exists" || operator === "DoesNotExist") && count > 0) {
    return [
      forbidden(`${field}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"),
    ];
  }
  return [];
}

function validateFieldKey({ key }: JsonObject, field: string): StatusCause[] {
  return text(key) === "" ? [required(`${field}.key`, "must be specified")] : [];
}

function validateLabel({ key, values }: JsonObject, field: string): StatusCause[] {
  return [
    ...isQualifiedName(text(key)).map((error) => invalid(`${field}.key`, text(key), error)),
    ...texts(values).flatMap((value, index) =>
      isLabelValue(value).map((error) => invalid(`${field}.values[${index}]`, value, error)),
    ),
  ];
}

/**
 * Returns the errors of the selectors that cannot be parsed and are ignored (BuildEvaluationError), or "".
 */
export function selectorErrors(resource: JsonObject): string {
  return [
    selectorError(resource.fieldSelector, `${path}.fieldSelector`, parseFieldSelector, isKnownField),
    selectorError(resource.labelSelector, `${path}.labelSelector`, parseLabelSelector, isKnownLabel),
  ]
    .filter((error) => error !== "")
    .join("; ");
}

function selectorError(
  selector: JsonValue | undefined,
  field: string,
  parse: (raw: string) => unknown,
  isKnown: (requirement: JsonObject) => boolean,
): string {
  if (!isJsonObject(selector)) return "";
  const requirements = objects(selector.requirements);
  const known = requirements.filter(isKnown).length;
  const partially = known === 0 ? "" : "partially ";
  const broken = known < requirements.length || !parses(text(selector.rawSelector), parse);
  return broken ? `${field} ${partially}ignored due to parse error` : "";
}

function parses(raw: string, parse: (raw: string) => unknown): boolean {
  try {
    if (raw !== "") parse(raw);
    return true;
  } catch (error) {
    if (error instanceof ApiStatusError) return false;
    throw error;
  }
}

function isKnownLabel({ operator }: JsonObject): boolean {
  return ["In", "NotIn", "Exists", "DoesNotExist"].includes(text(operator));
}

function isKnownField({ operator, values }: JsonObject): boolean {
  return ["In", "NotIn"].includes(text(operator)) && texts(values).length === 1;
}
