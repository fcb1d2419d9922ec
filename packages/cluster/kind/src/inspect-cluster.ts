import { z } from "zod";
import { nodeContainers } from "./containers.ts";
import { aborted } from "./errors/kind-error.ts";
import { sortNodes } from "./get.ts";
import type { KindOptions } from "./prepare.ts";
import { type Prepared, prepareEngine } from "./prepare.ts";
import { orThrow, type RunWords, runProgram } from "./run-kind.ts";

export interface ClusterState {
  readonly name: string;
  /** The control plane comes first. Empty if there is no such cluster. */
  readonly nodes: readonly string[];
  /** The version of the control plane's kubelet: `v1.36.3`. */
  readonly version?: string;
  /** Why it cannot be used, and what to do. Undefined if every node runs and is Ready. */
  readonly problem?: { readonly cause: string; readonly fix: string };
}

type Tools = Omit<Prepared, "kind">;

/** Milliseconds per request. */
const patience = 20_000;

const nodeList = z.object({
  items: z.array(
    z.object({
      metadata: z.object({ name: z.string() }),
      status: z.object({
        nodeInfo: z.object({ kubeletVersion: z.string() }),
        conditions: z.array(z.object({ type: z.string(), status: z.string() })).default([]),
      }),
    }),
  ),
});

/**
 * Checks whether a cluster exists and can be used: its containers run, its API server answers, and its nodes
 * are Ready.
 */
export async function inspectCluster(name: string, options: KindOptions = {}): Promise<ClusterState> {
  const tools = await prepareEngine(options);
  const nodes = sortNodes(await nodeContainers(tools, name, options.signal), name);
  const [first] = nodes;
  if (first === undefined) return { name, nodes };
  const what = `cluster ${name} was not inspected`;
  const stopped = await stoppedNodes(tools, nodes, { what, cluster: name, signal: options.signal });
  if (stopped.length > 0) {
    const cause = `${nodesAre(stopped)} not running`;
    const start = `\`${tools.engine.name} start ${stopped.join(" ")}\``;
    return {
      name,
      nodes,
      problem: {
        cause,
        fix: `Start ${stopped.length === 1 ? "it" : "them"} (${start}), or recreate the cluster: ${recreation(name)}.`,
      },
    };
  }
  const args = [
    "exec",
    first,
    "kubectl",
    "--kubeconfig=/etc/kubernetes/admin.conf",
    "get",
    "nodes",
    "--output=json",
  ];
  const answer = await run(tools, args, options.signal);
  if (options.signal?.aborted) throw aborted(what);
  if (answer.timedOut) {
    const cause = `its API server did not answer in ${patience / 1000} s`;
    return {
      name,
      nodes,
      problem: { cause, fix: `Check again in a minute, or recreate it: ${recreation(name)}.` },
    };
  }
  const list = nodeList.safeParse(answer.failed ? undefined : parse(answer.stdout));
  if (!list.success) {
    return {
      name,
      nodes,
      problem: { cause: "its API server does not answer", fix: `Recreate it: ${recreation(name)}.` },
    };
  }
  const { items } = list.data;
  const version = items.find(({ metadata }) => metadata.name === first)?.status.nodeInfo.kubeletVersion;
  const waiting = nodes.filter(
    (node) => isNode(node) && !items.some((item) => item.metadata.name === node && isReady(item)),
  );
  const common = { name, nodes, ...(version !== undefined && { version }) };
  if (waiting.length === 0) return common;
  const cause = `${nodesAre(waiting)} not Ready`;
  return {
    ...common,
    problem: { cause, fix: `Check again in a minute, or recreate the cluster: ${recreation(name)}.` },
  };
}

/** Returns the subject and the verb: `its nodes dev-worker, dev-worker2 are`. */
function nodesAre(nodes: readonly string[]): string {
  return nodes.length === 1 ? `its node ${nodes[0]} is` : `its nodes ${nodes.join(", ")} are`;
}

function recreation(name: string): string {
  return `\`pnpm kind-down --name ${name}\`, then \`pnpm kind-up --name ${name}\``;
}

/** A cluster with several control planes also has a load balancer, which is not a Node. */
function isNode(container: string): boolean {
  return !container.endsWith("external-load-balancer");
}

function isReady({ status }: z.output<typeof nodeList>["items"][number]): boolean {
  return status.conditions.some(({ type, status: value }) => type === "Ready" && value === "True");
}

/** Throws KindError if the engine does not answer. */
async function stoppedNodes(tools: Tools, nodes: readonly string[], words: RunWords): Promise<string[]> {
  const args = ["inspect", "--format", "{{.Name}} {{.State.Status}}", ...nodes];
  const { stdout } = orThrow(await run(tools, args, words.signal), tools, words);
  const running = stdout.split("\n").filter((line) => line.endsWith(" running"));
  const names = running.map((line) => line.replace(/^\//, "").split(" ")[0]);
  return nodes.filter((node) => !names.includes(node));
}

function run({ engine, env }: Tools, args: readonly string[], signal: AbortSignal | undefined) {
  return runProgram(engine.path, args, { env, signal, timeout: patience });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
