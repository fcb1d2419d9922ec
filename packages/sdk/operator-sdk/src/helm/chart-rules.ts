import type { ManifestObject } from "@operator-path/helm-operator";
import { escalationRules } from "./escalation-rules.ts";
import { type Plurals, type RuleResource, resourceOfKind } from "./resource-of-kind.ts";
import type { Rule } from "./rule.ts";

/** What an operator may do for the releases of a chart, and what its author has to know of that. */
export interface ChartRules {
  readonly rules: readonly Rule[];
  /** A sentence each. */
  readonly notes: readonly string[];
}

/** Installing, upgrading, repairing and uninstalling take all of them; `update` is what helm replaces objects with. */
const allVerbs = ["create", "delete", "get", "list", "patch", "update", "watch"];

/**
 * The rules that the objects of a chart ask for: a rule a group, and those of the roles in it.
 *
 * @param o.crds whether the chart has a crds/ folder: helm installs what is in it, and never changes or deletes it
 */
export function chartRules(
  objects: readonly ManifestObject[],
  { crds, plurals }: { crds: boolean; plurals: Plurals },
): ChartRules {
  const groups = new Map<string, Set<string>>();
  const guessed = new Map<string, RuleResource>();
  for (const { object } of objects) {
    const { apiVersion = "", kind = "" } = object;
    const resource = resourceOfKind(apiVersion, kind, plurals);
    const { group, plural, known } = resource;
    groups.set(group, (groups.get(group) ?? new Set()).add(plural));
    if (!known) guessed.set(`${kind} (${group})`, resource);
  }
  const rules = [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([group, plurals]) => ({ apiGroups: [group], resources: [...plurals].sort(), verbs: allVerbs }));
  const escalation = escalationRules(objects.map(({ object }) => object));
  const notes = [...guessed].map(
    ([name, { plural }]) =>
      `${name} is none of Kubernetes' kinds: its resource is taken to be ${plural}; kubectl api-resources says whether it is`,
  );
  return {
    rules: [...rules, ...(crds ? [definitions] : []), ...escalation.rules],
    notes: [...notes, ...escalation.notes],
  };
}

const definitions: Rule = {
  apiGroups: ["apiextensions.k8s.io"],
  resources: ["customresourcedefinitions"],
  verbs: ["create", "get", "list", "patch", "watch"],
};
