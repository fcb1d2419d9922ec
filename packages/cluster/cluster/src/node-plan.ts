/** A simulated node to be. */
export interface NodePlan {
  readonly name: string;
  readonly role: "control-plane" | "worker";
  readonly labels?: Readonly<Record<string, string>>;
}

/** A taint as in a Node's spec. */
export interface Taint {
  readonly key: string;
  readonly effect: "NoSchedule";
}

/** Names as kind gives them: `dev-control-plane`, `dev-control-plane2`, `dev-worker`, `dev-worker2`. */
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

/** kubeadm taints control-plane nodes; kind takes the taint off where they are the only nodes, and so do we. */
export function taintsOf(node: NodePlan, all: readonly NodePlan[]): Taint[] {
  const alone = all.every(({ role }) => role === "control-plane");
  if (node.role === "worker" || alone) return [];
  return [{ key: "node-role.kubernetes.io/control-plane", effect: "NoSchedule" }];
}
