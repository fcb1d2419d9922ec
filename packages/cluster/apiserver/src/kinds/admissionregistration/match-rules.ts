import type { StatusCause } from "../../apimachinery/errors.ts";
import { duplicate, invalid, notSupported, required } from "../../apimachinery/validation/cause.ts";
import { validateLabelSelector } from "../../apimachinery/validation/label-selector.ts";
import { isPathSegment } from "../../lib/formats/names.ts";
import { isJsonObject, type JsonObject } from "../../lib/json/json.ts";
import { objects, text, texts } from "../../lib/json/read.ts";
import { ensureObject, objectsOf, setDefault } from "../set-default.ts";

const operations = ["*", "CONNECT", "CREATE", "DELETE", "UPDATE"];
const scopes = ["*", "Cluster", "Namespaced"];

/** Validates a field that has a fixed set of values. A missing field is valid: its default has been set. */
export function supported(value: JsonObject[string], path: string, values: readonly string[]): StatusCause[] {
  if (value === undefined || values.includes(text(value))) return [];
  return [notSupported(path, value, values)];
}

/** Validates an admissionregistration/v1 RuleWithOperations. */
export function validateRule(rule: JsonObject, path: string): StatusCause[] {
  return [
    ...validateOperations(texts(rule.operations), `${path}.operations`),
    ...exclusive(texts(rule.apiGroups), `${path}.apiGroups`, "API groups"),
    ...exclusive(texts(rule.apiVersions), `${path}.apiVersions`, "API versions"),
    ...texts(rule.apiVersions).flatMap((version, index) =>
      version === "" ? [required(`${path}.apiVersions[${index}]`)] : [],
    ),
    ...validateRuleResources(texts(rule.resources), `${path}.resources`),
    ...supported(rule.scope, `${path}.scope`, scopes),
  ];
}

function validateOperations(values: string[], path: string): StatusCause[] {
  return [
    ...exclusive(values, path, "operations"),
    ...values.flatMap((value, index) => supported(value, `${path}[${index}]`, operations)),
  ];
}

function exclusive(values: string[], path: string, what: string): StatusCause[] {
  if (values.length === 0) return [required(path)];
  if (values.length === 1 || !values.includes("*")) return [];
  return [invalid(path, values, `if '*' is present, must not specify other ${what}`)];
}

function validateRuleResources(values: string[], path: string): StatusCause[] {
  if (values.length === 0) return [required(path)];
  const causes: StatusCause[] = [];
  const allSubresourcesOf = new Set<string>();
  const subresourceOfAll = new Set<string>();
  let plain = false;
  values.forEach((value, index) => {
    const at = `${path}[${index}]`;
    if (value === "") {
      causes.push(required(at));
      return;
    }
    const slash = value.indexOf("/");
    if (slash < 0) {
      plain = value !== "*";
      return;
    }
    const [resource, subresource] = [value.slice(0, slash), value.slice(slash + 1)];
    if (allSubresourcesOf.has(resource)) {
      causes.push(invalid(at, value, `if '${resource}/*' is present, must not specify ${value}`));
    }
    if (subresourceOfAll.has(subresource)) {
      causes.push(invalid(at, value, `if '*/${subresource}' is present, must not specify ${value}`));
    }
    if (subresource === "*") allSubresourcesOf.add(resource);
    if (resource === "*") subresourceOfAll.add(subresource);
  });
  if (values.length > 1 && values.includes("*/*")) {
    causes.push(invalid(path, values, "if '*/*' is present, must not specify other resources"));
  }
  if (plain && values.includes("*")) {
    const detail = "if '*' is present, must not specify other resources without subresources";
    causes.push(invalid(path, values, detail));
  }
  return causes;
}

export function validateSelector(selector: JsonObject[string], path: string): StatusCause[] {
  return isJsonObject(selector) ? validateLabelSelector(selector, path) : [];
}

/** Validates the admissionregistration/v1 MatchResources of a policy or a binding. */
export function validateMatchResources(resources: JsonObject, path: string): StatusCause[] {
  return [
    ...supported(resources.matchPolicy, `${path}.matchPolicy`, ["Equivalent", "Exact"]),
    ...validateSelector(resources.namespaceSelector, `${path}.namespaceSelector`),
    ...validateSelector(resources.objectSelector, `${path}.objectSelector`),
    ...["resourceRules", "excludeResourceRules"].flatMap((list) =>
      objects(resources[list]).flatMap((rule, index) => validateNamedRule(rule, `${path}.${list}[${index}]`)),
    ),
  ];
}

function validateNamedRule(rule: JsonObject, path: string): StatusCause[] {
  const names = texts(rule.resourceNames);
  const causes = names.flatMap((name, index) => {
    const at = `${path}.resourceNames[${index}]`;
    const bad = isPathSegment(name).map((error) => invalid(at, name, error));
    return names.indexOf(name) < index ? [...bad, duplicate(at, name)] : bad;
  });
  return [...causes, ...validateRule(rule, path)];
}

export function defaultMatchResources(resources: JsonObject): void {
  setDefault(resources, "matchPolicy", "Equivalent");
  ensureObject(resources, "namespaceSelector");
  ensureObject(resources, "objectSelector");
  defaultRules(resources.resourceRules);
  defaultRules(resources.excludeResourceRules);
}

export function defaultRules(rules: JsonObject[string]): void {
  for (const rule of objectsOf(rules)) setDefault(rule, "scope", "*");
}
