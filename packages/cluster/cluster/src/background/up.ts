import { rm } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { clusterCommand, makeUserDirectory } from "@operator-path/tools";
import type { EnvtestOrder } from "../embedded-process/launch.ts";
import { launch } from "../embedded-process/launch.ts";
import { type NodePlan, nameNodes } from "../node-plan.ts";
import { UserError } from "../user-error.ts";
import { type ClusterRecord, clusterFolder, readRecord } from "./record.ts";

export interface UpOptions {
  readonly name: string;
  /** Default 0: a free port. */
  readonly port?: number;
  /** Default: one control-plane node, or the nodes of the running cluster. */
  readonly nodes?: readonly NodePlan[];
  /**
   * Finds the real control plane to run. Called only if no cluster of the name is running. Default: the
   * embedded one.
   */
  readonly envtest?: () => Promise<EnvtestOrder>;
}

/** How long to wait for a cluster that another process is starting. */
const patienceMs = 60_000;

/**
 * Starts the background cluster `name` unless it is running, and returns its record. `started` is false if it
 * was already running, or another `up` was faster. The cluster outlives this process.
 *
 * @throws UserError if the port is taken, or if the running cluster has another port or other nodes
 */
export async function up(options: UpOptions): Promise<{ record: Required<ClusterRecord>; started: boolean }> {
  const { name, port = 0 } = options;
  const folder = clusterFolder(name);
  let started = false;
  if ((await readRecord(folder)) === undefined) {
    const nodes = options.nodes ?? nameNodes(name);
    const envtest = await options.envtest?.();
    await makeUserDirectory(folder, "state", 0o700);
    const order = { name, directory: folder, port, nodes, lifeline: false, ...(envtest && { envtest }) };
    const { child, answer } = await launch(order).catch(async (error: unknown) => {
      if ((await readRecord(folder)) === undefined) await rm(folder, { recursive: true, force: true });
      throw error;
    });
    started = answer.type === "ready";
    child.disconnect();
    child.unref();
  }
  const record = await untilRunning(folder, name);
  if (!started) rejectMismatch(record, options);
  return { record, started };
}

function rejectMismatch({ name, url, nodes }: Required<ClusterRecord>, asked: UpOptions): void {
  const remedy = `or stop it first with \`${clusterCommand} down --name ${name}\``;
  if (asked.port && new URL(url).port !== String(asked.port)) {
    throw new UserError(`cluster ${name} is already running at ${url}: leave out --port, ${remedy}`);
  }
  const shape = (plans: readonly { role: string }[]) => plans.map(({ role }) => role).join();
  if (asked.nodes && shape(asked.nodes) !== shape(nodes)) {
    const [has, wanted] = [nodes.length, asked.nodes.length];
    throw new UserError(
      `cluster ${name} is already running with ${has} ${has === 1 ? "node" : "nodes"}, not the ${wanted} of --config: leave it out, ${remedy}`,
    );
  }
}

async function untilRunning(folder: string, name: string): Promise<Required<ClusterRecord>> {
  for (const deadline = performance.now() + patienceMs; performance.now() < deadline; await sleep(50)) {
    const record = await readRecord(folder);
    if (record === undefined) throw new Error(`the cluster ${name} ended while starting: see ${folder}`);
    if (isRunning(record)) return record;
  }
  throw new Error(`the cluster ${name} is still starting after ${patienceMs / 1000} s: see ${folder}`);
}

function isRunning(record: ClusterRecord): record is Required<ClusterRecord> {
  return record.phase === "running";
}
