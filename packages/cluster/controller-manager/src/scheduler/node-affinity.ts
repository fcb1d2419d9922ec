import type { Node, Pod } from "@operator-path/client";
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
  return (
    selected && (required === undefined || required.nodeSelectorTerms.some((term) => matchesTerm(term, node)))
  );
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

function matches({ key, operator, values = [] }: Requirement, labels: Record<string, string>): boolean {
  const value = labels[key];
  switch (operator) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    case "Gt":
      return value !== undefined && Number(value) > Number(values[0]);
    case "Lt":
      return value !== undefined && Number(value) < Number(values[0]);
    default:
      return false;
  }
}
