import { startRealControlPlane } from "@operator-path/cluster/real-control-plane";
import { findControlPlane, ToolNotFoundError } from "@operator-path/tools";
import { createTarget, type Target } from "../target.ts";

/**
 * etcd and kube-apiserver, without controllers. Resolves to why not when they are nowhere to be had: nothing is downloaded
 * from a release site for a comparison, but they are built where Go is there.
 */
export async function startReal(log: (line: string) => void): Promise<Target | { readonly problem: string }> {
  const programs = await findControlPlane({ log }).catch((error: unknown) => {
    if (error instanceof ToolNotFoundError) return { problem: error.message };
    throw error;
  });
  if ("problem" in programs) return programs;
  const plane = await startRealControlPlane({ programs });
  return createTarget(`kube-apiserver ${programs.apiserver.version}`, plane, () => plane.stop());
}
