import { matchesLabelSelector } from "../../../apimachinery/selectors/label-selector.ts";
import { isJsonObject, type JsonObject } from "../../../lib/json/json.ts";
import { collectionOf } from "../../storage/keys.ts";
import type { AdmissionAttributes, AdmissionContext } from "../admission.ts";
import { type Match, requestedResource } from "./review.ts";

/** admissionregistration/v1 RuleWithOperations, with defaults. */
export interface Rule {
  operations?: string[];
  apiGroups?: string[];
  apiVersions?: string[];
  /** `pods`, `pods/exec`, `*`, or `*` with a subresource. */
  resources?: string[];
  scope?: string;
  /** Only in policies. */
  resourceNames?: string[];
}

/** Decides whether a webhook or a policy applies to a request. */
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

/** Returns whether no webhook or policy applies: they must not decide about their own configuration. */
export function isExempt({ type }: AdmissionAttributes): boolean {
  return type.group === "admissionregistration.k8s.io" && configurations.has(type.plural);
}

/** Returns the matched version, or undefined if the webhook or policy does not apply. */
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
  // The first rule with one of the other versions decides in which one the object is shown.
  for (const rule of rules) {
    const found = equivalent.find(({ resource }) => matchesRule(rule, attributes, resource));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the other versions of the same objects, also those of a CustomResourceDefinition that are not served. */
function equivalents(attributes: AdmissionAttributes, context: AdmissionContext): Match[] {
  const { type, subresource } = attributes;
  const collection = collectionOf(type);
  return [...context.registry.resources(), ...(type.custom?.unserved ?? [])]
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
  // A request for a Namespace has its name as the namespace, but the Namespace is cluster-scoped.
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

/** Returns whether the namespace matches. Cluster-scoped objects always do. */
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
