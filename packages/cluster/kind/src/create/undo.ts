import { setTimeout as sleep } from "node:timers/promises";
import { nodeContainers, removeContainers, removeUnusedNetwork } from "../containers.ts";
import { kubeconfigPathFor, removeEmptyKubeconfig } from "../kubeconfig.ts";
import type { Prepared } from "../prepare.ts";
import { runKind } from "../run-kind.ts";

/**
 * Removes what a creation that came to nothing has made. An engine that was asked for a container may still be making it
 * after the one who asked is gone: looked for until nothing has appeared for a second. Returns words on what is left, when
 * the engine does not answer, or undefined.
 */
export async function undo(
  prepared: Prepared,
  cluster: string,
  kubeconfigPath: string | undefined,
): Promise<string | undefined> {
  const args = ["delete", "cluster", "--name", cluster];
  try {
    await runKind(prepared, kubeconfigPath ? [...args, "--kubeconfig", kubeconfigPath] : args, {
      what: `cluster ${cluster} was not removed`,
    });
    for (let quiet = 0; quiet < 4; quiet++) {
      const late = await nodeContainers(prepared, cluster);
      if (late.length > 0) quiet = -1;
      await removeContainers(prepared, late);
      await sleep(250);
    }
    await removeUnusedNetwork(prepared);
    await removeEmptyKubeconfig(kubeconfigPathFor(kubeconfigPath, prepared.env));
    return undefined;
  } catch {
    const { name } = prepared.engine;
    return `What it had made could not be removed: when ${name} answers again, \`pnpm kind-down --name ${cluster}\`.`;
  }
}
