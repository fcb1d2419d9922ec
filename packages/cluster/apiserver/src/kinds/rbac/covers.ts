import { quoted } from "../../apimachinery/errors.ts";
import type { PolicyRule } from "./policy-rule.ts";

/**
 * Returns the parts of `rules` that `owned` does not cover, each reduced to one verb and one resource (Covers
 * of k8s.io/component-helpers/auth/rbac/validation). Returns an empty list when all is covered.
 */
export function uncovered(owned: readonly PolicyRule[], rules: readonly PolicyRule[]): PolicyRule[] {
  return rules.flatMap(breakDown).filter((part) => !owned.some((rule) => covers(rule, part)));
}

/** Formats rules, sorted, one line per resource with all its verbs (CompactRules, CompactString). */
export function describeRules(rules: readonly PolicyRule[]): string {
  const merged = new Map<string, PolicyRule>();
  for (const rule of rules) {
    const { verbs, ...rest } = rule;
    // Rules about URLs are not merged.
    const key = JSON.stringify(rule.nonResourceURLs.length > 0 ? rule : rest);
    const known = merged.get(key);
    merged.set(key, known === undefined ? rule : { ...rule, verbs: [...known.verbs, ...verbs] });
  }
  return [...new Set([...merged.values()].map(describeRule))].sort().join("\n");
}

function describeRule(rule: PolicyRule): string {
  const { apiGroups, resources, nonResourceURLs, resourceNames, verbs } = rule;
  const parts = [
    ["APIGroups", apiGroups],
    ["Resources", resources],
    ["NonResourceURLs", nonResourceURLs],
    ["ResourceNames", resourceNames],
    ["Verbs", verbs],
  ] as const;
  const shown = parts.flatMap(([name, list]) => (list.length === 0 ? [] : [`${name}:${quoted(list)}`]));
  return `{${shown.join(", ")}}`;
}

const nothing: PolicyRule = {
  verbs: [],
  apiGroups: [],
  resources: [],
  resourceNames: [],
  nonResourceURLs: [],
};

function breakDown(rule: PolicyRule): PolicyRule[] {
  const names = rule.resourceNames.length === 0 ? [[]] : rule.resourceNames.map((name) => [name]);
  const resources = rule.apiGroups.flatMap((group) =>
    rule.resources.flatMap((resource) =>
      rule.verbs.flatMap((verb) =>
        names.map((resourceNames) => ({
          ...nothing,
          apiGroups: [group],
          resources: [resource],
          verbs: [verb],
          resourceNames,
        })),
      ),
    ),
  );
  const urls = rule.nonResourceURLs.flatMap((url) =>
    rule.verbs.map((verb) => ({ ...nothing, nonResourceURLs: [url], verbs: [verb] })),
  );
  return [...resources, ...urls];
}

function covers(rule: PolicyRule, part: PolicyRule): boolean {
  return (
    hasAll(rule.verbs, part.verbs) &&
    hasAll(rule.apiGroups, part.apiGroups) &&
    part.resources.every((resource) => coversResource(rule.resources, resource)) &&
    part.nonResourceURLs.every((url) => rule.nonResourceURLs.some((own) => coversUrl(own, url))) &&
    (rule.resourceNames.length === 0 ||
      (part.resourceNames.length > 0 &&
        part.resourceNames.every((name) => rule.resourceNames.includes(name))))
  );
}

function coversResource(own: readonly string[], resource: string): boolean {
  if (own.includes("*") || own.includes(resource)) return true;
  const slash = resource.indexOf("/");
  return slash >= 0 && own.includes(`*${resource.slice(slash)}`);
}

function coversUrl(own: string, url: string): boolean {
  return own === url || (own.endsWith("*") && url.startsWith(own.replace(/\*+$/, "")));
}

function hasAll(own: readonly string[], wanted: readonly string[]): boolean {
  return own.includes("*") || wanted.every((item) => own.includes(item));
}
