import { matchesLabelSelector } from "../../../apimachinery/selectors/label-selector.ts";
import { isJsonObject, type JsonObject } from "../../../lib/json/json.ts";
import { collectionOf } from "../../storage/keys.ts";
import type { AdmissionAttributes, AdmissionContext } from "../admission.ts";
import { type Match, requestedResource } from "./review.ts";

/** admissionregistration/v1 RuleWithOperations, defaults included. */
export interface Rule {
  operations?: string[];
  apiGroups?: string[];
  apiVersions?: string[];
  /** `pods`, `pods/exec`, `*`, `*` with a subresource. */
  resources?: string[];
  scope?: string;
  /** Only in policies. */
  resourceNames?: string[];
}

/** What decides whether a webhook or a policy is asked. */
export interface MatchResources {
  rules: readonly Rule[];
  excludeRules?: readonly Rule[];
  /** Exact or Equivalent. */
  matchPolicy: string;
  namespaceSelector: JsonObject;
  objectSelector: JsonObject;
}

type Resource = Match["resource"];

const configurations = new Set([
  "validatingwebhookconfigurations",
  "mutatingwebhookconfigurations",
  "validatingadmissionpolicies",
  "validatingadmissionpolicybindings",
  "mutatingadmissionpolicies",
  "mutatingadmissionpolicybindings",
]);

/** Who is asked may not have a say in whether it is asked. */
export function isExempt({ type }: AdmissionAttributes): boolean {
  return type.group === "admissionregistration.k8s.io" && configurations.has(type.plural);
}

/** undefined: it is none of their business. */
export function match(
  resources: MatchResources,
  attributes: AdmissionAttributes,
  context: AdmissionContext,
): Match | undefined {
  const found = matchRules(resources, attributes, context);
  if (found === undefined) return undefined;
  if (!matchesNamespace(resources.namespaceSelector, attributes, context)) return undefined;
  return matchesObject(resources.objectSelector, attributes) ? found : undefined;
}

function matchRules(
  resources: MatchResources,
  attributes: AdmissionAttributes,
  context: AdmissionContext,
): Match | undefined {
  const { rules, excludeRules = [], matchPolicy } = resources;
  const requested = requestedResource(attributes);
  const anyRule = (list: readonly Rule[], resource: Resource) =>
    list.some((rule) => matchesRule(rule, attributes, resource));
  const equivalent = matchPolicy === "Equivalent" ? equivalents(attributes, context) : [];
  if ([requested, ...equivalent].some(({ resource }) => anyRule(excludeRules, resource))) return undefined;
  if (anyRule(rules, requested.resource)) return requested;
  // The first rule that knows one of the other versions decides in which one the object is shown.
  for (const rule of rules) {
    const found = equivalent.find(({ resource }) => matchesRule(rule, attributes, resource));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The same objects under another version's name. */
function equivalents(attributes: AdmissionAttributes, context: AdmissionContext): Match[] {
  const { type, subresource } = attributes;
  const collection = collectionOf(type);
  return context.registry
    .resources()
    .filter(
      (other) =>
        other !== type &&
        (other.group !== type.group || other.version !== type.version) &&
        other.plural === type.plural &&
        collectionOf(other) === collection &&
        (subresource === "" || other.subresources.includes(subresource)),
    )
    .map((other) => requestedResource({ ...attributes, type: other }));
}

function matchesRule(rule: Rule, attributes: AdmissionAttributes, resource: Resource): boolean {
  return (
    matchesScope(rule.scope, attributes) &&
    includes(rule.operations, attributes.operation) &&
    includes(rule.apiGroups, resource.group) &&
    includes(rule.apiVersions, resource.version) &&
    matchesResource(rule.resources, resource.resource, attributes.subresource) &&
    (rule.resourceNames === undefined ||
      rule.resourceNames.length === 0 ||
      rule.resourceNames.includes(attributes.name))
  );
}

function includes(values: string[] | undefined, value: string): boolean {
  return values?.some((entry) => entry === "*" || entry === value) ?? false;
}

function matchesScope(scope: string | undefined, { type, namespace }: AdmissionAttributes): boolean {
  // A request for a Namespace carries its name, though the Namespace itself is in none.
  const clusterScoped = namespace === "" || (type.group === "" && type.plural === "namespaces");
  if (scope === "Namespaced") return !clusterScoped;
  return scope === "Cluster" ? clusterScoped : true;
}

function matchesResource(resources: string[] | undefined, plural: string, subresource: string): boolean {
  return (
    resources?.some((entry) => {
      const [name, ...rest] = entry.split("/");
      const sub = rest.join("/");
      return (name === "*" || name === plural) && (sub === "*" || sub === subresource);
    }) ?? false
  );
}

/** What is in no namespace is always meant. */
function matchesNamespace(
  selector: JsonObject,
  attributes: AdmissionAttributes,
  context: AdmissionContext,
): boolean {
  const { type, subresource, namespace, name, object } = attributes;
  const isNamespace = type.group === "" && type.plural === "namespaces";
  if (isEmpty(selector) || (namespace === "" && !isNamespace)) return true;
  const draft = isNamespace && subresource === "" && attributes.operation !== "DELETE" ? object : undefined;
  const found = draft ?? context.store.get("namespaces", namespace === "" ? name : namespace)?.object;
  return matchesLabelSelector(selector, found?.metadata.labels);
}

function matchesObject(selector: JsonObject, { object, old }: AdmissionAttributes): boolean {
  if (isEmpty(selector)) return true;
  return [object, old].some(
    (candidate) =>
      isJsonObject(candidate?.metadata) && matchesLabelSelector(selector, candidate.metadata.labels),
  );
}

function isEmpty({ matchLabels, matchExpressions }: JsonObject): boolean {
  return (
    (!isJsonObject(matchLabels) || Object.keys(matchLabels).length === 0) &&
    (!Array.isArray(matchExpressions) || matchExpressions.length === 0)
  );
}
