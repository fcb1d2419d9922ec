import { dirname, join } from "node:path";
import { getKubeconfig } from "@operator-path/kind";
import type { Cluster, ClusterImages } from "../cluster.ts";
import { type ExistingClusterOptions, openExistingCluster } from "../existing/open.ts";
import { writePrivateFile } from "../private-file.ts";
import { startKindCluster } from "./start.ts";

export interface ReuseKindOptions extends Pick<ExistingClusterOptions, "consent" | "creates" | "signal"> {
  readonly name: string;
  /** Of kind and the engine. Default: the process's. */
  readonly env?: NodeJS.ProcessEnv;
}

/** A kind cluster that a person has, in a namespace of our own. */
export interface ReusedKindCluster extends Cluster {
  readonly provider: "kind";
  readonly namespace: string;
  readonly images: ClusterImages;
}

/**
 * Takes a kind cluster that is there as openExistingCluster takes any: after consent, in a namespace of its own, which stop()
 * deletes. What was loaded into the nodes stays there.
 *
 * @throws KindError, and UserError as openExistingCluster
 */
export async function reuseKindCluster(o: ReuseKindOptions): Promise<ReusedKindCluster> {
  const { name, env = process.env, creates = [], consent, signal } = o;
  await using undo = new AsyncDisposableStack();
  const kind = await startKindCluster({ name, reuse: true, env, ...(signal && { signal }) });
  undo.defer(() => kind.stop());
  // kind's own kubeconfig: the person's may call the cluster otherwise, or not know it.
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
