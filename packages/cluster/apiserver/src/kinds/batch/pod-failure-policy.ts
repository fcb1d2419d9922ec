import { quoted, type StatusCause } from "../../apimachinery/errors.ts";
import {
  duplicate,
  invalid,
  invalidWithoutValue,
  notSupported,
  required,
  tooMany,
} from "../../apimachinery/validation/cause.ts";
import { isQualifiedName } from "../../lib/formats/names.ts";
import type { JsonObject, JsonValue } from "../../lib/json/json.ts";
import { object, objects, text } from "../../lib/json/read.ts";

const actions = ["Count", "FailIndex", "FailJob", "Ignore"];

/**
 * Validates the batch/v1 PodFailurePolicy of a Job.
 * @param spec of the Job
 * @param path of the policy
 */
export function validatePodFailurePolicy(spec: JsonObject, path: string): StatusCause[] {
  const rules = objects(object(spec.podFailurePolicy).rules);
  const pod = object(object(spec.template).spec);
  const containers = [...objects(pod.containers), ...objects(pod.initContainers)].map(({ name }) =>
    text(name),
  );
  return [
    ...(rules.length > 20 ? [tooMany(`${path}.rules`, rules.length, 20)] : []),
    ...rules.flatMap((rule, index) => validateRule(rule, spec, `${path}.rules[${index}]`, containers)),
  ];
}

function validateRule(
  { action, onExitCodes, onPodConditions }: JsonObject,
  spec: JsonObject,
  path: string,
  containers: readonly string[],
): StatusCause[] {
  const causes = oneOfThese(action, `${path}.action`, actions);
  if (action === "FailIndex" && spec.backoffLimitPerIndex === undefined) {
    causes.push(invalid(`${path}.action`, action, "requires the backoffLimitPerIndex to be set"));
  }
  const conditions = objects(onPodConditions);
  if (onExitCodes !== undefined) {
    causes.push(...validateExitCodes(object(onExitCodes), `${path}.onExitCodes`, containers));
  }
  if (conditions.length > 20) causes.push(tooMany(`${path}.onPodConditions`, conditions.length, 20));
  conditions.forEach(({ type, status }, index) => {
    const inner = `${path}.onPodConditions[${index}]`;
    causes.push(
      ...isQualifiedName(text(type)).map((error) => invalid(`${inner}.type`, text(type), error)),
      ...oneOfThese(status, `${inner}.status`, ["False", "True", "Unknown"]),
    );
  });
  if (onExitCodes !== undefined && conditions.length > 0) {
    const detail = "specifying both OnExitCodes and OnPodConditions is not supported";
    causes.push(invalidWithoutValue(path, detail));
  }
  if (onExitCodes === undefined && conditions.length === 0) {
    const detail = "specifying one of OnExitCodes and OnPodConditions is required";
    causes.push(invalidWithoutValue(path, detail));
  }
  return causes;
}

function validateExitCodes(
  { operator, containerName, values }: JsonObject,
  path: string,
  containers: readonly string[],
): StatusCause[] {
  const causes = oneOfThese(operator, `${path}.operator`, ["In", "NotIn"]);
  if (containerName !== undefined && !containers.includes(text(containerName))) {
    const detail = "must be one of the container or initContainer names in the pod template";
    causes.push(invalid(`${path}.containerName`, containerName, detail));
  }
  const codes = Array.isArray(values) ? values.map(Number) : [];
  if (codes.length === 0)
    causes.push(invalid(`${path}.values`, values ?? null, "at least one value is required"));
  if (codes.length > 255) causes.push(tooMany(`${path}.values`, codes.length, 255));
  codes.forEach((code, index) => {
    const inner = `${path}.values[${index}]`;
    if (operator === "In" && code === 0)
      causes.push(invalid(inner, code, "must not be 0 for the In operator"));
    if (codes.indexOf(code) < index) causes.push(duplicate(inner, code));
  });
  if (codes.some((code, index) => code < (codes[index - 1] ?? code))) {
    causes.push(invalid(`${path}.values`, codes, "must be ordered"));
  }
  return causes;
}

/** Requires one of the values. Unlike `oneOf`, names them if the value is missing. */
function oneOfThese(value: JsonValue | undefined, path: string, values: readonly string[]): StatusCause[] {
  if (text(value) === "") return [required(path, `valid values: ${quoted(values)}`)];
  return values.includes(text(value)) ? [] : [notSupported(path, value, values)];
}
