import { formatGoYaml } from "./go-yaml.ts";

/** A rule of a role, as RBAC has it. */
export interface Rule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly verbs: readonly string[];
}

/** Rules as lines of a role's `rules`. */
export function formatRules(rules: readonly Rule[]): string {
  return rules.length === 0 ? "" : formatGoYaml(rules);
}
