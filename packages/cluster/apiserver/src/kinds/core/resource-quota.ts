import { isDeepStrictEqual } from "node:util";
import type { StatusCause } from "../../apimachinery/errors.ts";
import { invalid, required } from "../../apimachinery/validation/cause.ts";
import type { ApiObject, JsonObject } from "../../lib/json/json.ts";
import { object, objects, text, texts } from "../../lib/json/read.ts";
import { ageOf, definePrinter, type Named, nameOf } from "../../server/table/printer.ts";
import type { BuiltInKind } from "../built-in-kind.ts";
import { validateResourceName } from "./pod/validation/resources.ts";
import { readResourceList } from "./resource-list.ts";

const counted =
  /^(pods|resourcequotas|services|replicationcontrollers|secrets|persistentvolumeclaims|configmaps|services\.nodeports|services\.loadbalancers)$/;
const standardQuota =
  /^(cpu|memory|ephemeral-storage|requests\.(cpu|memory|storage|ephemeral-storage)|limits\.(cpu|memory|ephemeral-storage)|(requests\.)?hugepages-.+)$/;
const scopeNames = [
  "Terminating",
  "NotTerminating",
  "BestEffort",
  "NotBestEffort",
  "PriorityClass",
  "CrossNamespacePodAffinity",
  "VolumeAttributesClass",
];

/** Validates a core/v1 ResourceQuota. */
function validateResourceQuota(quota: ApiObject, old?: ApiObject): StatusCause[] {
  const spec = object(quota.spec);
  const amounts = readResourceList(spec.hard);
  const causes = Object.keys(object(spec.hard)).flatMap((name) => {
    const path = `spec.hard[${name}]`;
    const amount = amounts[name];
    const shown = text(object(spec.hard)[name]);
    return [
      ...validateQuotaResourceName(name, path),
      ...(amount !== undefined && amount.nano < 0n
        ? [invalid(path, shown, "must be greater than or equal to 0")]
        : []),
      ...(amount !== undefined && isCount(name) && amount.nano % 10n ** 9n !== 0n
        ? [invalid(path, shown, "must be an integer")]
        : []),
    ];
  });
  causes.push(...validateScopes(spec), ...validateScopeSelector(spec));
  if (
    old !== undefined &&
    !isDeepStrictEqual(texts(spec.scopes).sort(), texts(object(old.spec).scopes).sort())
  ) {
    causes.push(invalid("spec.scopes", spec.scopes ?? null, "field is immutable"));
  }
  return causes;
}

function isCount(name: string): boolean {
  return counted.test(name) || name.startsWith("count/") || /\/(?!.*storage$)/.test(name);
}

function validateQuotaResourceName(name: string, path: string): StatusCause[] {
  const causes = validateResourceName(name, path, false);
  if (name.includes("/") || counted.test(name) || standardQuota.test(name)) return causes;
  return [...causes, invalid(path, name, "must be a standard resource for quota")];
}

/**
 * Returns whether a scope can limit a resource. BestEffort Pods request nothing, so only their number can be
 * limited.
 */
function scopeFits(scope: string, name: string): boolean {
  if (scope === "BestEffort") return name === "pods";
  if (scope === "VolumeAttributesClass")
    return name === "persistentvolumeclaims" || name === "requests.storage";
  return name === "pods" || (standardQuota.test(name) && name !== "requests.storage");
}

const opposites = [
  ["BestEffort", "NotBestEffort"],
  ["Terminating", "NotTerminating"],
];

function validateScopes(spec: JsonObject): StatusCause[] {
  const scopes = texts(spec.scopes);
  const path = "spec.scopes";
  const names = Object.keys(object(spec.hard)).sort();
  const causes = scopes.flatMap((scope) => [
    ...(scopeNames.includes(scope) ? [] : [invalid(path, scopes, "unsupported scope")]),
    ...names
      .filter((name) => (counted.test(name) || standardQuota.test(name)) && !scopeFits(scope, name))
      .map(() => invalid(path, scopes, "unsupported scope applied to resource")),
  ]);
  for (const pair of opposites) {
    if (pair.every((scope) => scopes.includes(scope)))
      causes.push(invalid(path, scopes, "conflicting scopes"));
  }
  return causes;
}

function validateScopeSelector(spec: JsonObject): StatusCause[] {
  const path = "spec.scopeSelector.matchExpressions";
  return objects(object(spec.scopeSelector).matchExpressions).flatMap(({ scopeName, operator, values }) => {
    const causes: StatusCause[] = [];
    if (!scopeNames.includes(text(scopeName))) {
      causes.push(invalid(`${path}.scopeName`, scopeName, "unsupported scope"));
    }
    if (scopeName !== "PriorityClass" && scopeName !== "VolumeAttributesClass" && operator !== "Exists") {
      const detail =
        "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";
      causes.push(invalid(`${path}.operator`, operator, detail));
    }
    const given = texts(values);
    if (operator === "In" || operator === "NotIn") {
      const detail = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
      if (given.length === 0) causes.push(required(`${path}.values`, detail));
    } else if (operator === "Exists" || operator === "DoesNotExist") {
      const detail = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
      if (given.length > 0) causes.push(invalid(`${path}.values`, given, detail));
    } else causes.push(invalid(`${path}.operator`, operator, "not a valid selector operator"));
    return causes;
  });
}

interface ResourceQuota extends Named {
  status?: { hard?: Record<string, string>; used?: Record<string, string> };
}

const resourceQuotaPrinter = definePrinter<ResourceQuota>((object, context) => {
  const { hard = {}, used = {} } = object.status ?? {};
  const requests: string[] = [];
  const limits: string[] = [];
  for (const resource of Object.keys(hard).sort()) {
    const cell = resource.startsWith("limits.") ? limits : requests;
    cell.push(`${resource}: ${used[resource] ?? "0"}/${hard[resource] ?? "0"}`);
  }
  return [nameOf(object), requests.join(", "), limits.join(", "), ageOf(object, context)];
});

/** core/v1 ResourceQuota. */
export const resourceQuotaKind: BuiltInKind = {
  strategy: { returnsDeleted: true },
  validate: validateResourceQuota,
  printer: resourceQuotaPrinter,
};
