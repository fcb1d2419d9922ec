import type { Node, Pod } from "@operator-path/client";
import { matchLabels } from "@operator-path/informers";
import { nameOf } from "../objects.ts";

type NodeSelector = NonNullable<
  NonNullable<
    NonNullable<NonNullable<Pod["spec"]>["affinity"]>["nodeAffinity"]
  >["requiredDuringSchedulingIgnoredDuringExecution"]
>;
type Term = NodeSelector["nodeSelectorTerms"][number];
type Requirement = NonNullable<Term["matchExpressions"]>[number];

/** Whether a node has what spec.nodeSelector and the required node affinity of a Pod ask for. */
export function matchesNodeAffinity(pod: Pod, node: Node): boolean {
  const labels = node.metadata?.labels ?? {};
  const selected = Object.entries(pod.spec?.nodeSelector ?? {}).every(
    ([key, value]) => labels[key] === value,
  );
  const required = pod.spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return selected && (required === undefined || matchesNodeSelector(required, node));
}

/** One of the terms has to match. */
export function matchesNodeSelector(selector: NodeSelector, node: Node): boolean {
  return selector.nodeSelectorTerms.some((term) => matchesTerm(term, node));
}

/** All parts of a term have to match, and one with no parts matches nothing. */
function matchesTerm({ matchExpressions = [], matchFields = [] }: Term, node: Node): boolean {
  if (matchExpressions.length + matchFields.length === 0) return false;
  const fields: Record<string, string> = { "metadata.name": nameOf(node) };
  return (
    matchExpressions.every((requirement) => matches(requirement, node.metadata?.labels ?? {})) &&
    matchFields.every((requirement) => matches(requirement, fields))
  );
}

/** A label selector's operators, and two that only node selectors have. One that nobody knows matches nothing. */
function matches(requirement: Requirement, labels: Record<string, string>): boolean {
  const { key, operator, values = [] } = requirement;
  const value = labels[key];
  switch (operator) {
    case "In":
    case "NotIn":
    case "Exists":
    case "DoesNotExist":
      return matchLabels({ matchExpressions: [requirement] }, labels);
    case "Gt":
      return value !== undefined && Number(value) > Number(values[0]);
    case "Lt":
      return value !== undefined && Number(value) < Number(values[0]);
    default:
      return false;
  }
}
