import { type ControlPlane, findControlPlane } from "@operator-path/tools";
import { startEnvtestCluster } from "../envtest/start.ts";
import type { StartCluster } from "./kubectl.ts";

/**
 * A cluster with a real control plane, where one is at hand; undefined: this machine has none. Nothing is built or downloaded
 * for a test.
 */
export async function realControlPlane(): Promise<StartCluster | undefined> {
  const programs = await findControlPlane({ controllerManager: true, mayBuild: false }).catch(
    (): ControlPlane | undefined => undefined,
  );
  return programs && ((directory) => startEnvtestCluster({ directory, programs }));
}
