import type { StatusCause } from "../../../../apimachinery/errors.ts";
import { forbidden, invalid, notSupported, required } from "../../../../apimachinery/validation/cause.ts";
import { validateLabelSelector } from "../../../../apimachinery/validation/label-selector.ts";
import { isLabelValue, isQualifiedName } from "../../../../lib/formats/names.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../../lib/json/json.ts";
import { objects, text, texts } from "../../../../lib/json/read.ts";

const required_ = "requiredDuringSchedulingIgnoredDuringExecution";
const preferred = "preferredDuringSchedulingIgnoredDuringExecution";

/** Validates a core/v1 Affinity. */
export function validateAffinity(affinity: JsonValue | undefined, path: string): StatusCause[] {
  if (!isJsonObject(affinity)) return [];
  const { nodeAffinity, podAffinity, podAntiAffinity } = affinity;
  return [
    ...(isJsonObject(nodeAffinity) ? validateNodeAffinity(nodeAffinity, `${path}.nodeAffinity`) : []),
    ...(isJsonObject(podAffinity) ? validatePodAffinity(podAffinity, `${path}.podAffinity`) : []),
    ...(isJsonObject(podAntiAffinity) ? validatePodAffinity(podAntiAffinity, `${path}.podAntiAffinity`) : []),
  ];
}

function validateNodeAffinity(affinity: JsonObject, path: string): StatusCause[] {
  const causes: StatusCause[] = [];
  const must = affinity[required_];
  if (isJsonObject(must)) {
    const terms = objects(must.nodeSelectorTerms);
    const inner = `${path}.${required_}.nodeSelectorTerms`;
    if (terms.length === 0) causes.push(required(inner, "must have at least one node selector term"));
    causes.push(...terms.flatMap((term, index) => validateNodeTerm(term, `${inner}[${index}]`)));
  }
  objects(affinity[preferred]).forEach((weighted, index) => {
    const inner = `${path}.${preferred}[${index}]`;
    causes.push(...validateWeight(weighted.weight, inner));
    if (isJsonObject(weighted.preference)) {
      causes.push(...validateNodeTerm(weighted.preference, `${inner}.preference`));
    }
  });
  return causes;
}

function validateNodeTerm(term: JsonObject, path: string): StatusCause[] {
  return [
    ...objects(term.matchExpressions).flatMap((expression, index) =>
      validateRequirement(expression, `${path}.matchExpressions[${index}]`),
    ),
    ...objects(term.matchFields).flatMap((field, index) =>
      validateField(field, `${path}.matchFields[${index}]`),
    ),
  ];
}

function validateRequirement(requirement: JsonObject, path: string): StatusCause[] {
  const causes: StatusCause[] = [];
  const values = texts(requirement.values);
  const operator = text(requirement.operator);
  if (operator === "In" || operator === "NotIn") {
    if (values.length === 0) {
      causes.push(required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'"));
    }
  } else if (operator === "Exists" || operator === "DoesNotExist") {
    const detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
    if (values.length > 0) causes.push(forbidden(`${path}.values`, detail));
  } else if (operator === "Gt" || operator === "Lt") {
    const detail = "must be specified single value when `operator` is 'Lt' or 'Gt'";
    if (values.length !== 1) causes.push(required(`${path}.values`, detail));
  } else causes.push(invalid(`${path}.operator`, operator, "not a valid selector operator"));
  const key = text(requirement.key);
  causes.push(...isQualifiedName(key).map((error) => invalid(`${path}.key`, key, error)));
  values.forEach((value, at) => {
    causes.push(...isLabelValue(value).map((error) => invalid(`${path}.values[${at}]`, value, error)));
  });
  return causes;
}

/** Validates a field requirement. Only metadata.name of a node can be selected. */
function validateField(requirement: JsonObject, path: string): StatusCause[] {
  const causes: StatusCause[] = [];
  const operator = text(requirement.operator);
  if (operator === "In" || operator === "NotIn") {
    if (texts(requirement.values).length !== 1) {
      const detail = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
      causes.push(required(`${path}.values`, detail));
    }
  } else causes.push(invalid(`${path}.operator`, operator, "not a valid selector operator"));
  if (requirement.key !== "metadata.name") {
    causes.push(invalid(`${path}.key`, text(requirement.key), "not a valid field selector key"));
  }
  return causes;
}

function validatePodAffinity(affinity: JsonObject, path: string): StatusCause[] {
  return [
    ...objects(affinity[required_]).flatMap((term, index) =>
      validatePodTerm(term, `${path}.${required_}[${index}]`),
    ),
    ...objects(affinity[preferred]).flatMap((weighted, index) => {
      const inner = `${path}.${preferred}[${index}]`;
      const term = isJsonObject(weighted.podAffinityTerm) ? weighted.podAffinityTerm : {};
      return [
        ...validateWeight(weighted.weight, inner),
        ...validatePodTerm(term, `${inner}.podAffinityTerm`),
      ];
    }),
  ];
}

function validatePodTerm(term: JsonObject, path: string): StatusCause[] {
  const causes: StatusCause[] = [];
  for (const key of ["labelSelector", "namespaceSelector"]) {
    const selector = term[key];
    if (isJsonObject(selector)) causes.push(...validateLabelSelector(selector, `${path}.${key}`));
  }
  const topologyKey = text(term.topologyKey);
  if (topologyKey === "") causes.push(required(`${path}.topologyKey`, "can not be empty"));
  causes.push(
    ...isQualifiedName(topologyKey).map((error) => invalid(`${path}.topologyKey`, topologyKey, error)),
  );
  return causes;
}

function validateWeight(weight: JsonValue | undefined, path: string): StatusCause[] {
  const isWeight = typeof weight === "number" && weight >= 1 && weight <= 100;
  return isWeight ? [] : [invalid(`${path}.weight`, weight ?? 0, "must be in the range 1-100")];
}

/** Validates a list of core/v1 TopologySpreadConstraints. */
export function validateTopologySpread(constraints: JsonValue | undefined, path: string): StatusCause[] {
  return objects(constraints).flatMap((constraint, index) => {
    const inner = `${path}[${index}]`;
    const causes: StatusCause[] = [];
    const { maxSkew = 0, topologyKey, whenUnsatisfiable, labelSelector } = constraint;
    if (Number(maxSkew) <= 0) causes.push(invalid(`${inner}.maxSkew`, maxSkew, "must be greater than zero"));
    if (text(topologyKey) === "") causes.push(required(`${inner}.topologyKey`, "can not be empty"));
    const known = ["DoNotSchedule", "ScheduleAnyway"];
    if (!known.includes(text(whenUnsatisfiable))) {
      causes.push(notSupported(`${inner}.whenUnsatisfiable`, text(whenUnsatisfiable), known));
    }
    if (isJsonObject(labelSelector)) {
      causes.push(...validateLabelSelector(labelSelector, `${inner}.labelSelector`));
    }
    return causes;
  });
}
