import { approximate, type Node, type Pod, parseQuantity, type Quantity } from "@operator-path/client";

/** Amounts by resource name, in base units (cores, bytes, pieces). */
export type Amounts = Map<string, number>;

/**
 * What a Pod asks a node for: the sum of its containers, or, if that is more, the largest of its init containers, which
 * run before them one by one. An init container that restarts always is a sidecar, and runs beside the others.
 */
export function requests(pod: Pod): Amounts {
  const { containers = [], initContainers = [], overhead } = pod.spec ?? {};
  const total: Amounts = new Map();
  const peak: Amounts = new Map();
  for (const container of initContainers) {
    const asked = amounts(container.resources?.requests);
    if (container.restartPolicy === "Always") add(total, asked);
    else for (const [name, amount] of asked) raise(peak, name, amount + (total.get(name) ?? 0));
  }
  for (const container of containers) add(total, amounts(container.resources?.requests));
  for (const [name, amount] of peak) raise(total, name, amount);
  add(total, amounts(overhead));
  return total;
}

/** The reasons why a Pod does not fit into what the Pods on a node leave free; none when it fits. */
export function insufficientResources(pod: Pod, node: Node, onNode: Pod[]): string[] {
  const allocatable = amounts(node.status?.allocatable);
  const used: Amounts = new Map();
  for (const other of onNode) add(used, requests(other));

  const reasons: string[] = [];
  if (onNode.length + 1 > (allocatable.get("pods") ?? Number.POSITIVE_INFINITY))
    reasons.push("Too many pods");
  for (const [name, amount] of requests(pod)) {
    // Sums of decimal fractions are off by a little; a nano is below what a quantity can say.
    if (amount > 0 && amount + (used.get(name) ?? 0) > (allocatable.get(name) ?? 0) + 1e-9) {
      reasons.push(`Insufficient ${name}`);
    }
  }
  return reasons;
}

function amounts(quantities: Record<string, Quantity> | undefined): Amounts {
  return new Map(
    Object.entries(quantities ?? {}).map(([name, text]) => [name, approximate(parseQuantity(text))]),
  );
}

function add(total: Amounts, more: Amounts): void {
  for (const [name, amount] of more) total.set(name, (total.get(name) ?? 0) + amount);
}

function raise(total: Amounts, name: string, amount: number): void {
  total.set(name, Math.max(total.get(name) ?? 0, amount));
}
