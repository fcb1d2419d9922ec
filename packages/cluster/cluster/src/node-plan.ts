/** A simulated node to start. */
export interface NodePlan {
  readonly name: string;
  readonly role: "control-plane" | "worker";
  readonly labels?: Readonly<Record<string, string>>;
}

/** A taint in a Node's spec. */
export interface Taint {
  readonly key: string;
  readonly effect: "NoSchedule";
}

/** Names nodes as kind does: `dev-control-plane`, `dev-control-plane2`, `dev-worker`, `dev-worker2`. */
export function nameNodes(
  cluster: string,
  nodes: readonly Omit<NodePlan, "name">[] = [{ role: "control-plane" }],
): NodePlan[] {
  const counts = { "control-plane": 0, worker: 0 };
  return nodes.map((node) => {
    counts[node.role] += 1;
    const count = counts[node.role];
    return { ...node, name: `${cluster}-${node.role}${count === 1 ? "" : count}` };
  });
}

/**
 * Returns the taints of a node. kubeadm taints control-plane nodes. Like kind, we leave the taint out if
 * there are no other nodes.
 */
export function taintsOf(node: NodePlan, all: readonly NodePlan[]): Taint[] {
  const alone = all.every(({ role }) => role === "control-plane");
  if (node.role === "worker" || alone) return [];
  return [{ key: "node-role.kubernetes.io/control-plane", effect: "NoSchedule" }];
}
