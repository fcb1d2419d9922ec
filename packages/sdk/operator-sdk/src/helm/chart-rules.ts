import { type Plurals, resourceOfKind } from "./resource-of-kind.ts";
import type { Rule } from "./rule.ts";

/** What an operator may do for the releases of a chart, and what its author has to know of that. */
export interface ChartRules {
  readonly rules: readonly Rule[];
  /** A sentence each, without its full stop. */
  readonly notes: readonly string[];
}

/** Installing, upgrading, repairing and uninstalling take all of them; `update` is what helm replaces objects with. */
const allVerbs = ["create", "delete", "get", "list", "patch", "update", "watch"];

/** A rule a group for kinds that a chart renders. */
export function kindRules(
  kinds: readonly { readonly group: string; readonly kind: string }[],
  plurals: Plurals,
): ChartRules {
  const groups = new Map<string, Set<string>>();
  const guesses = new Map<string, string>();
  for (const { group, kind } of kinds) {
    const { plural, known } = resourceOfKind(group, kind, plurals);
    groups.set(group, (groups.get(group) ?? new Set()).add(plural));
    if (!known) guesses.set(`${kind} (${group})`, plural);
  }
  return {
    rules: [...groups]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([group, resources]) => ({
        ...{ apiGroups: [group], resources: [...resources].sort(), verbs: allVerbs },
      })),
    notes: [...guesses].map(
      ([name, plural]) =>
        `${name} is none of Kubernetes' own kinds: rules call it ${plural}, and kubectl api-resources says whether that is right`,
    ),
  };
}

/** What helm takes to install a crds/ folder, which it never changes or deletes. */
export const definitionsRule: Rule = {
  apiGroups: ["apiextensions.k8s.io"],
  resources: ["customresourcedefinitions"],
  verbs: ["create", "get", "list", "patch", "watch"],
};
