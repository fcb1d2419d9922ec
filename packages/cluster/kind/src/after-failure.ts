import { setTimeout as sleep } from "node:timers/promises";
import { nodeContainers, removeContainers, removeOurNetwork } from "./containers.ts";
import { type Explanation, explain } from "./errors/explain.ts";
import { KindError, type KindErrorParts, type KindProblem } from "./errors/kind-error.ts";
import type { Prepared } from "./prepare.ts";
import { type RegistryOptions, stopRegistry } from "./registry.ts";
import { runProgram } from "./run-kind.ts";

/**
 * Cleans up after a failed creation and returns the error to throw. Asks the nodes for the cause before it removes them.
 *
 * @param options.retain keeps the nodes; default false
 * @param ownRegistry whether this creation has started the registry
 */
export async function afterFailure(
  error: unknown,
  name: string,
  prepared: Prepared,
  { retain = false, registry }: { retain?: boolean | undefined; registry?: RegistryOptions | undefined },
  ownRegistry: boolean,
): Promise<unknown> {
  const vague = error instanceof KindError && ["timeout", "unknown"].includes(error.problem);
  const found = vague ? await explainNodes(prepared, name) : undefined;
  const told = error instanceof KindError && found ? new KindError({ ...parts(error), ...found }) : error;
  // Another process created a cluster of this name first. kind has made nothing here, and the cluster is not ours.
  const theirs =
    error instanceof KindError && /node\(s\) already exist for a cluster/.test(error.output ?? "");
  const left = retain || theirs ? undefined : await undo(prepared, name);
  if (ownRegistry)
    await stopRegistry({ ...registry, engine: prepared.engine, env: prepared.env }).catch(() => false);
  if (!(told instanceof KindError)) return told;
  if (told.problem === "aborted" && !retain)
    return new KindError({ ...parts(told), fix: left ?? "What it had made is removed." });
  return left === undefined ? told : new KindError({ ...parts(told), fix: `${told.fix}\n${left}` });
}

function parts({ problem, what, cause, fix, command, output, evidence }: KindError): KindErrorParts {
  return {
    ...{ problem, what, cause, fix },
    ...(command !== undefined && { command }),
    ...(output !== undefined && { output }),
    ...(evidence !== undefined && { evidence }),
  };
}

/** Milliseconds after which an engine is not waited for any more. */
const patience = 60_000;

/**
 * Removes what a creation that came to nothing has made; the kubeconfig has not been touched yet. An engine that was asked for
 * a container may still be making it after the one who asked is gone: looked for until nothing has appeared for a second.
 * Returns words on what is left, when the engine does not answer, or undefined.
 */
async function undo(prepared: Prepared, cluster: string): Promise<string | undefined> {
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

/** What is believed when it stands in a node's log: those are full of other words that pass by themselves. */
const believed: readonly KindProblem[] = [
  "disk-full",
  "inotify",
  "cgroup-v1",
  "wrong-architecture",
  "out-of-memory",
  "proxy",
];

/** Why the nodes of a cluster did not come up, in words that only they know: their own log, and their kubelet's. */
async function explainNodes(prepared: Prepared, cluster: string): Promise<Explanation | undefined> {
  const nodes = await nodeContainers(prepared, cluster).catch(() => []);
  for (const node of nodes) {
    const logs = await words(prepared, ["logs", "--tail", "100", node]);
    const kubelet = await words(prepared, [
      "exec",
      node,
      "journalctl",
      "-u",
      "kubelet",
      "--no-pager",
      "-n",
      "100",
    ]);
    const context = { engine: prepared.engine.name, env: prepared.env, cluster };
    const found = explain(`${logs}\n${kubelet}`, context, believed);
    if (found.problem !== "unknown") return found;
  }
  return undefined;
}

async function words({ engine, env }: Prepared, args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await runProgram(engine.path, args, { env, timeout: 10_000 });
  return `${stdout}\n${stderr}`;
}
