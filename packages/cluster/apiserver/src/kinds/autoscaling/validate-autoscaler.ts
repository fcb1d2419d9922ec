import { parseQuantity } from "@operator-path/client";
import type { StatusCause } from "../../apimachinery/errors.ts";
import { forbidden, invalid, notSupported, required } from "../../apimachinery/validation/cause.ts";
import { nonNegative } from "../../apimachinery/validation/rules.ts";
import { isDns1123Label, isPathSegment } from "../../lib/formats/names.ts";
import { type ApiObject, isJsonObject, type JsonObject, type JsonValue } from "../../lib/json/json.ts";
import { object, objects, text } from "../../lib/json/read.ts";
import { validateResourceName } from "../core/pod/validation/resources.ts";

/** Validates an autoscaling/v2 HorizontalPodAutoscaler. */
export function validateAutoscaler(autoscaler: ApiObject, old?: ApiObject): StatusCause[] {
  const spec = object(autoscaler.spec);
  const before = object(old?.spec);
  const target = object(spec.scaleTargetRef);
  const { apiVersion, kind } = object(before.scaleTargetRef);
  // A version that was accepted once stays valid.
  const isKnown = old !== undefined && target.apiVersion === apiVersion && target.kind === kind;
  const versions = isKnown ? "any" : target.kind === "ReplicationController" ? "core" : "in a group";
  return [
    ...validateReplicas(spec, before.minReplicas === 0 ? 0 : 1),
    ...validateReference(target, "spec.scaleTargetRef", versions),
    ...validateMetrics(objects(spec.metrics), spec.minReplicas === 0),
    ...["scaleUp", "scaleDown"].flatMap((direction) =>
      validateRules(object(spec.behavior)[direction], `spec.behavior.${direction}`),
    ),
  ];
}

export function validateAutoscalerStatus({ status }: ApiObject): StatusCause[] {
  return nonNegative(object(status), "status", "currentReplicas", "desiredReplicas");
}

function validateReplicas({ minReplicas, maxReplicas }: JsonObject, lowest: number): StatusCause[] {
  const [minimum, maximum] = [Number(minReplicas ?? lowest), Number(maxReplicas ?? 0)];
  const causes: StatusCause[] = [];
  if (minimum < lowest) {
    causes.push(invalid("spec.minReplicas", minimum, `must be greater than or equal to ${lowest}`));
  }
  if (maximum === 0) causes.push(required("spec.maxReplicas", "must be set and greater than 0"));
  if (maximum < 0) causes.push(invalid("spec.maxReplicas", maximum, "must be greater than or equal to 1"));
  if (minReplicas !== undefined && maximum < minimum) {
    causes.push(invalid("spec.maxReplicas", maximum, "must be greater than or equal to `minReplicas`"));
  }
  return causes;
}

/** @param versions which apiVersions may be named: any text, those of all groups, or those of named groups only */
function validateReference(
  reference: JsonObject,
  path: string,
  versions: "any" | "core" | "in a group",
): StatusCause[] {
  const causes = ["kind", "name"].flatMap((key) => pathSegment(reference[key], `${path}.${key}`));
  const apiVersion = text(reference.apiVersion);
  const slashes = apiVersion.split("/").length - 1;
  if (versions === "any") return causes;
  const problem =
    slashes > 1
      ? `unexpected GroupVersion string: ${apiVersion}`
      : versions === "in a group" && (slashes === 0 || apiVersion.startsWith("/"))
        ? "apiVersion must specify API group"
        : undefined;
  return problem === undefined ? causes : [...causes, invalid(`${path}.apiVersion`, apiVersion, problem)];
}

function pathSegment(value: JsonValue | undefined, path: string, missing = ""): StatusCause[] {
  if (text(value) === "") return [required(path, missing)];
  return isPathSegment(text(value)).map((error) => invalid(path, value, error));
}

/** The sources of a metric, in the order in which a real server looks for them. */
const sources = {
  object: { type: "Object", validate: validateObjectSource },
  external: { type: "External", validate: validateExternalSource },
  pods: { type: "Pods", validate: validatePodsSource },
  resource: { type: "Resource", validate: validateResourceSource },
  containerResource: { type: "ContainerResource", validate: validateContainerResourceSource },
} as const;

function validateMetrics(metrics: readonly JsonObject[], scalesToZero: boolean): StatusCause[] {
  const causes = metrics.flatMap((metric, index) => validateMetric(metric, `spec.metrics[${index}]`));
  if (!scalesToZero || metrics.some(({ type }) => type === "Object" || type === "External")) return causes;
  const detail = "must specify at least one Object or External metric to support scaling to zero replicas";
  return [...causes, forbidden("spec.metrics", detail)];
}

function validateMetric(metric: JsonObject, path: string): StatusCause[] {
  const type = text(metric.type);
  const all = Object.entries(sources);
  const [expected] = all.find(([, source]) => source.type === type) ?? [];
  const present = all.filter(([name]) => metric[name] !== undefined);
  const causes: StatusCause[] = [];
  if (type === "") causes.push(required(`${path}.type`, "must specify a metric source type"));
  if (expected === undefined) {
    const types = all.map(([, source]) => source.type).sort();
    causes.push(notSupported(`${path}.type`, type, types));
  }
  const [first] = present;
  if (first !== undefined) causes.push(...first[1].validate(object(metric[first[0]]), `${path}.${first[0]}`));
  if (expected !== undefined && metric[expected] === undefined) {
    causes.push(required(`${path}.${expected}`, "must populate information for the given metric source"));
  }
  if (present.length === 1) return causes;
  const others = present.filter(([name]) => name !== expected);
  const detail = "must populate the given metric source only";
  return [...causes, ...others.map(([name]) => forbidden(`${path}.${name}`, detail))];
}

function validateObjectSource(source: JsonObject, path: string): StatusCause[] {
  const { value, averageValue } = object(source.target);
  const detail = "must set either a target value or averageValue";
  return [
    ...validateReference(object(source.describedObject), `${path}.describedObject`, "core"),
    ...validateCustomMetric(source, path),
    ...((value ?? averageValue) === undefined ? [required(`${path}.target.averageValue`, detail)] : []),
  ];
}

function validateExternalSource(source: JsonObject, path: string): StatusCause[] {
  const { value, averageValue } = object(source.target);
  const causes = validateCustomMetric(source, path);
  if ((value ?? averageValue) === undefined) {
    const detail = "must set either a target value for metric or a per-pod target";
    causes.push(required(`${path}.target.averageValue`, detail));
  }
  if (value !== undefined && averageValue !== undefined) {
    const detail = "may not set both a target value for metric and a per-pod target";
    causes.push(forbidden(`${path}.target.value`, detail));
  }
  return causes;
}

function validatePodsSource(source: JsonObject, path: string): StatusCause[] {
  const causes = validateCustomMetric(source, path);
  if (object(source.target).averageValue !== undefined) return causes;
  return [...causes, required(`${path}.target.averageValue`, "must specify a positive target averageValue")];
}

function validateCustomMetric(source: JsonObject, path: string): StatusCause[] {
  return [
    ...pathSegment(object(source.metric).name, `${path}.metric.name`, "must specify a metric name"),
    ...validateTarget(object(source.target), `${path}.target`),
  ];
}

function validateResourceSource(source: JsonObject, path: string): StatusCause[] {
  const causes: StatusCause[] = [];
  if (text(source.name) === "") causes.push(required(`${path}.name`, "must specify a resource name"));
  causes.push(...validateTarget(object(source.target), `${path}.target`));
  const { averageUtilization, averageValue } = object(source.target);
  if ((averageUtilization ?? averageValue) === undefined) {
    const detail = "must set either a target raw value or a target utilization";
    causes.push(required(`${path}.target.averageUtilization`, detail));
  }
  if (averageUtilization !== undefined && averageValue !== undefined) {
    const detail = "may not set both a target raw value and a target utilization";
    causes.push(forbidden(`${path}.target.averageValue`, detail));
  }
  return causes;
}

function validateContainerResourceSource(source: JsonObject, path: string): StatusCause[] {
  const { name, container } = source;
  return [
    ...(text(name) === "" ? [] : validateResourceName(text(name), `${path}.name`)),
    ...(text(container) === ""
      ? [required(`${path}.container`, "must specify a container")]
      : isDns1123Label(text(container)).map((error) => invalid(`${path}.container`, container, error))),
    ...validateResourceSource(source, path),
  ];
}

function validateTarget(target: JsonObject, path: string): StatusCause[] {
  const type = text(target.type);
  const causes: StatusCause[] = [];
  if (type === "") causes.push(required(`${path}.type`, "must specify a metric target type"));
  if (!["Utilization", "Value", "AverageValue"].includes(type)) {
    causes.push(invalid(`${path}.type`, type, "must be either Utilization, Value, or AverageValue"));
  }
  for (const key of ["value", "averageValue"]) {
    const amount = target[key];
    if (amount !== undefined && parseQuantity(String(amount)).nano <= 0n) {
      causes.push(invalid(`${path}.${key}`, amount, "must be positive"));
    }
  }
  const { averageUtilization } = target;
  if (averageUtilization !== undefined && Number(averageUtilization) < 1) {
    causes.push(invalid(`${path}.averageUtilization`, averageUtilization, "must be greater than 0"));
  }
  return causes;
}

/** Validates the scaling rules of one direction. They have their default policies. */
function validateRules(rules: JsonValue | undefined, path: string): StatusCause[] {
  if (!isJsonObject(rules)) return [];
  const { stabilizationWindowSeconds: window = 0, selectPolicy, policies } = rules;
  const windowPath = `${path}.stabilizationWindowSeconds`;
  const selections = ["Disabled", "Max", "Min"];
  return [
    ...(Number(window) < 0 ? [invalid(windowPath, window, "must be greater than or equal to zero")] : []),
    ...(Number(window) > 3600 ? [invalid(windowPath, window, "must be less than or equal to 3600")] : []),
    ...(selections.includes(text(selectPolicy))
      ? []
      : [notSupported(`${path}.selectPolicy`, selectPolicy, selections)]),
    ...objects(policies).flatMap((policy, index) => validatePolicy(policy, `${path}.policies[${index}]`)),
  ];
}

function validatePolicy({ type, value = 0, periodSeconds = 0 }: JsonObject, path: string): StatusCause[] {
  const causes: StatusCause[] = [];
  const types = ["Percent", "Pods"];
  if (!types.includes(text(type))) causes.push(notSupported(`${path}.type`, type ?? "", types));
  if (Number(value) <= 0) causes.push(invalid(`${path}.value`, value, "must be greater than zero"));
  const periodPath = `${path}.periodSeconds`;
  if (Number(periodSeconds) <= 0)
    causes.push(invalid(periodPath, periodSeconds, "must be greater than zero"));
  if (Number(periodSeconds) > 1800) {
    causes.push(invalid(periodPath, periodSeconds, "must be less than or equal to 1800"));
  }
  return causes;
}
