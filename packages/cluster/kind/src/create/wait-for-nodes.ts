import type { Prepared } from "../prepare.ts";
import { runEngine } from "../run-kind.ts";

/**
 * Waits until every node is Ready (`kind --wait` waits for the control plane only), with the kubectl that the control
 * plane's node has. Throws KindError `timeout` or `aborted`.
 */
export async function waitForNodes(
  prepared: Prepared,
  cluster: string,
  { node, seconds, signal }: { node: string; seconds: number; signal?: AbortSignal | undefined },
): Promise<void> {
  const kubectl = ["exec", node, "kubectl", "--kubeconfig=/etc/kubernetes/admin.conf"];
  const args = [...kubectl, "wait", "node", "--all", "--for=condition=Ready", `--timeout=${seconds}s`];
  await runEngine(prepared, args, {
    what: `the nodes of cluster ${cluster} are not all Ready after ${seconds} s`,
    cluster,
    signal,
  });
}
