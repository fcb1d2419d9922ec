import { formatQuantity, type ParsedQuantity } from "@operator-path/client";
import type { StatusCause } from "../../apimachinery/errors.ts";
import { duplicate, forbidden, invalid, required } from "../../apimachinery/validation/cause.ts";
import { isQualifiedName } from "../../lib/formats/names.ts";
import type { ApiObject, JsonObject } from "../../lib/json/json.ts";
import { object, objects, text } from "../../lib/json/read.ts";
import type { BuiltInKind } from "../built-in-kind.ts";
import { ensureObject, objectsOf, setDefault } from "../set-default.ts";
import { validateResourceName } from "./pod/validation/resources.ts";
import { readResourceList } from "./resource-list.ts";

/** Sets the defaults of a core/v1 LimitRange: the default of a limit is its maximum. */
function defaultLimitRange(range: JsonObject): void {
  for (const limit of objectsOf(ensureObject(range, "spec").limits)) {
    if (limit.type !== "Container") continue;
    const limits = { ...ensureObject(limit, "default") };
    const requests = { ...ensureObject(limit, "defaultRequest") };
    for (const [name, amount] of Object.entries(ensureObject({ ...limit }, "max"))) {
      setDefault(limits, name, amount ?? null);
    }
    for (const [name, amount] of Object.entries(limits)) setDefault(requests, name, amount ?? null);
    for (const [name, amount] of Object.entries(ensureObject({ ...limit }, "min"))) {
      setDefault(requests, name, amount ?? null);
    }
    setOrDelete(limit, "default", limits);
    setOrDelete(limit, "defaultRequest", requests);
  }
}

function setOrDelete(limit: JsonObject, key: string, list: JsonObject): void {
  if (Object.keys(list).length === 0) delete limit[key];
  else limit[key] = list;
}

const types = ["Pod", "Container", "PersistentVolumeClaim"];
const bounds = ["max", "min", "default", "defaultRequest", "maxLimitRequestRatio"] as const;

/** Validates a core/v1 LimitRange. */
function validateLimitRange(range: ApiObject): StatusCause[] {
  const limits = objects(object(range.spec).limits);
  const seen = limits.map(({ type }) => text(type));
  return limits.flatMap((limit, index) => {
    const path = `spec.limits[${index}]`;
    const type = seen[index] as string;
    return [
      ...validateType(type, `${path}.type`),
      ...(seen.indexOf(type) < index ? [duplicate(`${path}.type`, type)] : []),
      ...validateLimit(limit, type, path),
    ];
  });
}

function validateType(type: string, path: string): StatusCause[] {
  const errors = isQualifiedName(type).map((error) => invalid(path, type, error));
  if (errors.length > 0 || type.includes("/") || types.includes(type)) return errors;
  return [invalid(path, type, "must be a standard limit type or fully qualified")];
}

function validateLimit(limit: JsonObject, type: string, path: string): StatusCause[] {
  const causes: StatusCause[] = [];
  const isPod = type === "Pod";
  for (const bound of bounds) {
    const names = Object.keys(object(limit[bound]));
    if (isPod && (bound === "default" || bound === "defaultRequest")) {
      if (names.length > 0) {
        causes.push(forbidden(`${path}.${bound}`, "may not be specified when `type` is 'Pod'"));
      }
      continue;
    }
    const ofContainers = isPod || type === "Container";
    causes.push(
      ...names.flatMap((name) => validateResourceName(name, `${path}.${bound}[${name}]`, ofContainers)),
    );
  }
  const storage = [limit.min, limit.max].some((list) => object(list).storage !== undefined);
  if (type === "PersistentVolumeClaim" && !storage) {
    const detail = "either minimum or maximum storage value is required, but neither was provided";
    causes.push(required(`${path}.limits`, detail));
  }
  return [...causes, ...validateOrder(limit, path)];
}

/** Validates that no bound exceeds the next one. */
function validateOrder(limit: JsonObject, path: string): StatusCause[] {
  const lists = Object.fromEntries(bounds.map((bound) => [bound, readResourceList(limit[bound])]));
  const names = new Set(Object.values(lists).flatMap((list) => Object.keys(list)));
  return [...names].flatMap((name) => {
    const of = (bound: (typeof bounds)[number]) => lists[bound]?.[name];
    const [min, max, standard, request, ratio] = [
      of("min"),
      of("max"),
      of("default"),
      of("defaultRequest"),
      of("maxLimitRequestRatio"),
    ];
    const show = (amount: ParsedQuantity) => formatQuantity(amount);
    const causes: StatusCause[] = [];
    const ordered = (
      lower: ParsedQuantity | undefined,
      upper: ParsedQuantity | undefined,
      field: string,
      value: ParsedQuantity | undefined,
      words: (lower: string, upper: string) => string,
    ) => {
      if (lower === undefined || upper === undefined || lower.nano <= upper.nano) return;
      const detail = words(show(lower), show(upper));
      causes.push(invalid(`${path}.${field}[${name}]`, show(value as ParsedQuantity), detail));
    };
    ordered(min, max, "min", min, (a, b) => `min value ${a} is greater than max value ${b}`);
    ordered(
      min,
      request,
      "defaultRequest",
      request,
      (a, b) => `min value ${a} is greater than default request value ${b}`,
    );
    ordered(
      request,
      max,
      "defaultRequest",
      request,
      (a, b) => `default request value ${a} is greater than max value ${b}`,
    );
    ordered(
      request,
      standard,
      "defaultRequest",
      request,
      (a, b) => `default request value ${a} is greater than default limit value ${b}`,
    );
    ordered(min, standard, "default", min, (a, b) => `min value ${a} is greater than default value ${b}`);
    ordered(standard, max, "default", max, (a, b) => `default value ${a} is greater than max value ${b}`);
    if (ratio !== undefined && ratio.nano < 10n ** 9n) {
      causes.push(
        invalid(`${path}.maxLimitRequestRatio[${name}]`, show(ratio), `ratio ${show(ratio)} is less than 1`),
      );
    }
    return causes;
  });
}

/** Stores a list without items as Go reads it from etcd: as null. */
function prepareLimits(range: ApiObject): void {
  const spec = object(range.spec);
  if (objects(spec.limits).length === 0) range.spec = { ...spec, limits: null };
}

/** core/v1 LimitRange. */
export const limitRangeKind: BuiltInKind = {
  strategy: { createOnUpdate: true, prepareForCreate: prepareLimits, prepareForUpdate: prepareLimits },
  setDefaults: defaultLimitRange,
  validate: validateLimitRange,
};
