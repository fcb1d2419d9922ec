import { setTimeout as sleep } from "node:timers/promises";
import { nodeContainers, removeContainers } from "../containers.ts";
import { removeOurNetwork } from "../network.ts";
import type { Prepared } from "../prepare.ts";

/** Milliseconds after which an engine is not waited for any more. */
const patience = 60_000;

/**
 * Removes what a creation that came to nothing has made; the kubeconfig has not been touched yet. An engine that was asked for
 * a container may still be making it after the one who asked is gone: looked for until nothing has appeared for a second.
 * Returns words on what is left, when the engine does not answer, or undefined.
 */
export async function undo(prepared: Prepared, cluster: string): Promise<string | undefined> {
  const signal = AbortSignal.timeout(patience);
  try {
    for (let quiet = 0; quiet < 4; quiet++) {
      const nodes = await nodeContainers(prepared, cluster, signal);
      if (nodes.length > 0) quiet = -1;
      await removeContainers(prepared, nodes, signal);
      await sleep(250);
    }
    await removeOurNetwork(prepared, signal);
    return undefined;
  } catch {
    const { name } = prepared.engine;
    return `What it had made could not be removed: when ${name} answers again, \`pnpm kind-down --name ${cluster}\`.`;
  }
}
