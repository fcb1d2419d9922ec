import { dirname, join } from "node:path";
import { getKubeconfig } from "@operator-path/kind";
import type { Cluster, ClusterImages } from "../cluster.ts";
import { type ExistingClusterOptions, openExistingCluster } from "../existing/open.ts";
import { writePrivateFile } from "../private-file.ts";
import { startKindCluster } from "./start.ts";

export interface ReuseKindOptions extends Pick<ExistingClusterOptions, "consent" | "creates" | "signal"> {
  readonly name: string;
  /** The environment of kind and the engine. Default: process.env. */
  readonly env?: NodeJS.ProcessEnv;
}

/** A user's kind cluster, with a namespace of our own. */
export interface ReusedKindCluster extends Cluster {
  readonly provider: "kind";
  readonly namespace: string;
  readonly images: ClusterImages;
}

/**
 * Opens an existing kind cluster as openExistingCluster does: after consent, in its own namespace, which
 * stop() deletes. Loaded images stay on the nodes.
 *
 * @throws KindError, and UserError as openExistingCluster
 */
export async function reuseKindCluster(options: ReuseKindOptions): Promise<ReusedKindCluster> {
  const { name, env = process.env, creates = [], consent, signal } = options;
  await using undo = new AsyncDisposableStack();
  const kind = await startKindCluster({ name, reuse: true, env, ...(signal && { signal }) });
  undo.defer(() => kind.stop());
  // Uses kind's own kubeconfig, because the user's may lack the cluster, or name it differently.
  const kubeconfig = join(dirname(kind.kubeconfigPath), "kubeconfig-of-kind");
  await writePrivateFile(kubeconfig, await getKubeconfig(name, { env, ...(signal && { signal }) }));
  const own = await openExistingCluster({
    context: `kind-${name}`,
    env: { ...env, KUBECONFIG: kubeconfig },
    ...{ creates, consent, ...(signal && { signal }) },
  });
  undo.defer(() => own.stop());
  const { namespace, kubeconfigPath, kubeConfig } = own;
  const running = undo.move();
  let stopped: Promise<void> | undefined;
  return {
    ...{ provider: "kind", name, namespace, kubeconfigPath, kubeConfig, images: kind.images },
    stop() {
      stopped ??= running.disposeAsync();
      return stopped;
    },
  };
}
