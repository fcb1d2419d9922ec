import { startRealControlPlane } from "@operator-path/cluster/real-control-plane";
import { type ControlPlane, findControlPlane, ToolNotFoundError } from "@operator-path/tools";

/**
 * etcd and kube-apiserver from KUBEBUILDER_ASSETS or the cache. undefined: there are none; for a measurement nothing is
 * built and nothing is downloaded.
 */
export async function findPeer(env: NodeJS.ProcessEnv): Promise<ControlPlane | undefined> {
  try {
    return await findControlPlane({ env, mayBuild: false });
  } catch (error) {
    if (error instanceof ToolNotFoundError) return undefined;
    throw error;
  }
}

/** What is printed in the place of a peer that is not there. */
export const noPeer =
  "no etcd and kube-apiserver: set KUBEBUILDER_ASSETS, or let `pnpm proof conformance` build them";

/** Milliseconds from the start of the processes until kube-apiserver says that it is ready. */
export async function timeRealControlPlane(programs: ControlPlane): Promise<number> {
  const begin = performance.now();
  const running = await startRealControlPlane({ programs });
  const time = performance.now() - begin;
  await running.stop();
  return time;
}
