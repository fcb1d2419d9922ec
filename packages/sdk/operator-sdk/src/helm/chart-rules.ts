import { type Plurals, resourceOfKind } from "./resource-of-kind.ts";
import type { Rule } from "./rule.ts";

/**
 * The permissions that an operator needs for the releases of a chart, and notes about them for its author.
 */
export interface ChartRules {
  readonly rules: readonly Rule[];
  /** Sentences without their full stops. */
  readonly notes: readonly string[];
}

/**
 * Installing, upgrading, repairing and uninstalling need all of these verbs. helm replaces objects with
 * `update`.
 */
const allVerbs = ["create", "delete", "get", "list", "patch", "update", "watch"];

/** Returns a rule for each group of the kinds that a chart renders. */
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
        `${name} is not a built-in kind: the rules use the plural ${plural}, which you can check with kubectl api-resources`,
    ),
  };
}

/** The permissions to install a crds/ folder. helm never changes or deletes its CRDs. */
export const definitionsRule: Rule = {
  apiGroups: ["apiextensions.k8s.io"],
  resources: ["customresourcedefinitions"],
  verbs: ["create", "get", "list", "patch", "watch"],
};
