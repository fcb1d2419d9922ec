import { nodeContainers } from "../containers.ts";
import { type Explanation, explain } from "../errors/explain.ts";
import type { KindProblem } from "../errors/kind-error.ts";
import type { Prepared } from "../prepare.ts";
import { runProgram } from "../run-program.ts";

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
export async function explainNodes(prepared: Prepared, cluster: string): Promise<Explanation | undefined> {
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
