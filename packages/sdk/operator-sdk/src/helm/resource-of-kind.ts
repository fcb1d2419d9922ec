import { pluralize } from "@operator-path/controller-gen";

/** What rules call a kind. */
export interface RuleResource {
  readonly group: string;
  /** "deployments". */
  readonly plural: string;
  /** Whether that is known: from Kubernetes' own custom, or from a definition in the chart. */
  readonly known: boolean;
}

/** Groups of Kubernetes itself that do not end in .k8s.io. */
const ownGroups = new Set(["", "apps", "autoscaling", "batch", "policy"]);

/** Groups that end so and are no part of Kubernetes. */
const elsewhere = new Set(["gateway.networking.k8s.io", "metrics.k8s.io", "snapshot.storage.k8s.io"]);

/** Plurals by "group/Kind", as definitions say them. */
export type Plurals = ReadonlyMap<string, string>;

/** What rules call a kind: Kubernetes' own and those of definitions as they are, others as they are probably called. */
export function resourceOfKind(group: string, kind: string, plurals: Plurals): RuleResource {
  const defined = plurals.get(`${group}/${kind}`);
  if (defined !== undefined) return { group, plural: defined, known: true };
  // The one kind of Kubernetes that is called by a plural.
  const plural = kind === "Endpoints" ? "endpoints" : pluralize(kind).toLowerCase();
  return { group, plural, known: isKubernetes(group) };
}

function isKubernetes(group: string): boolean {
  return ownGroups.has(group) || (group.endsWith(".k8s.io") && !elsewhere.has(group));
}
