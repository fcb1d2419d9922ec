import { setTimeout as sleep } from "node:timers/promises";
import { nodeContainers, removeContainers, removeOurNetwork } from "./containers.ts";
import { type Explanation, explain } from "./errors/explain.ts";
import { KindError, type KindErrorParts, type KindProblem } from "./errors/kind-error.ts";
import type { Prepared } from "./prepare.ts";
import { type RegistryOptions, stopRegistry } from "./registry.ts";
import { runProgram } from "./run-kind.ts";

/**
 * Cleans up after a failed creation and returns the error to throw. Reads the cause from the nodes before it
 * removes them.
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
  // Another process created a cluster of this name first. kind has created nothing here, and the cluster is
  // not ours.
  const theirs =
    error instanceof KindError && /node\(s\) already exist for a cluster/.test(error.output ?? "");
  const left = retain || theirs ? undefined : await cleanUp(prepared, name);
  if (ownRegistry)
    await stopRegistry({ ...registry, engine: prepared.engine, env: prepared.env }).catch(() => false);
  if (!(told instanceof KindError)) return told;
  if (told.problem === "aborted" && !retain)
    return new KindError({ ...parts(told), fix: left ?? "The partly created cluster was removed." });
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

/** How long to wait for the engine, in milliseconds. */
const patience = 60_000;

/**
 * Removes what a failed creation has created. The kubeconfig was not written yet. The engine may finish
 * creating a container after its client has ended, so this looks until no new one has appeared for a second.
 * Returns a message about what is left if the engine does not answer, else undefined.
 */
async function cleanUp(prepared: Prepared, cluster: string): Promise<string | undefined> {
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
    return `The partly created cluster could not be removed. When ${name} answers again, run \`pnpm kind-down --name ${cluster}\`.`;
  }
}

/** Problems that are trusted in a node's log. Other messages there are often transient. */
const believed: readonly KindProblem[] = [
  "disk-full",
  "inotify",
  "cgroup-v1",
  "wrong-architecture",
  "out-of-memory",
  "proxy",
];

/** Explains why the nodes of a cluster did not start, from their logs and their kubelets' logs. */
async function explainNodes(prepared: Prepared, cluster: string): Promise<Explanation | undefined> {
  const nodes = await nodeContainers(prepared, cluster).catch(() => []);
  for (const node of nodes) {
    const logs = await outputOf(prepared, ["logs", "--tail", "100", node]);
    const kubelet = await outputOf(prepared, [
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

async function outputOf({ engine, env }: Prepared, args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await runProgram(engine.path, args, { env, timeout: 10_000 });
  return `${stdout}\n${stderr}`;
}
