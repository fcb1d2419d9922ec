import { startRealControlPlane } from "@operator-path/cluster/real-control-plane";
import { type ControlPlane, findControlPlane, ToolNotFoundError } from "@operator-path/tools";

/**
 * Finds etcd and kube-apiserver in KUBEBUILDER_ASSETS or in the cache. Resolves to undefined if they are
 * missing: a measurement builds and downloads nothing.
 */
export async function findPeer(env: NodeJS.ProcessEnv): Promise<ControlPlane | undefined> {
  try {
    return await findControlPlane({ env, mayBuild: false });
  } catch (error) {
    if (error instanceof ToolNotFoundError) return undefined;
    throw error;
  }
}

/** Printed instead of the figures of a missing peer. */
export const noPeer =
  "no etcd and kube-apiserver: set KUBEBUILDER_ASSETS, or let `pnpm proof conformance` build them";

/** Resolves to the milliseconds from the start of the processes until kube-apiserver is ready. */
export async function timeRealControlPlane(programs: ControlPlane): Promise<number> {
  const begin = performance.now();
  const running = await startRealControlPlane({ programs });
  const time = performance.now() - begin;
  await running.stop();
  return time;
}
