import { rm } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { launch } from "../embedded-process/launch.ts";
import { type NodePlan, nameNodes } from "../node-plan.ts";
import { type ClusterRecord, clusterFolder, readRecord } from "./record.ts";

export interface UpOptions {
  readonly name: string;
  /** Default 0: a free one. */
  readonly port?: number;
  /** Default: one control-plane node. */
  readonly nodes?: readonly NodePlan[];
}

/** How long another process's cluster may be starting before `up` says that something is wrong. */
const patienceMs = 30_000;

/**
 * Makes sure that the background cluster `name` is running, and returns its record. `started` is false if it was
 * there already, or another `up` was quicker. The cluster outlives this process. Throws UserError for a taken port.
 */
export async function up(options: UpOptions): Promise<{ record: Required<ClusterRecord>; started: boolean }> {
  const { name, port = 0 } = options;
  const folder = clusterFolder(name);
  let started = false;
  if ((await readRecord(folder)) === undefined) {
    const nodes = options.nodes ?? nameNodes(name);
    const order = { name, directory: folder, port, nodes, lifeline: false };
    const { child, answer } = await launch(order).catch(async (error: unknown) => {
      if ((await readRecord(folder)) === undefined) await rm(folder, { recursive: true, force: true });
      throw error;
    });
    started = answer.type === "ready";
    child.disconnect();
    child.unref();
  }
  return { record: await untilRunning(folder, name), started };
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
