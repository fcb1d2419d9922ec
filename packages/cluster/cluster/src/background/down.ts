import { rm } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { identityOf } from "@operator-path/tools";
import { clusterFolder, readRecord } from "./record.ts";

/** How long a cluster may take to stop before it is killed. */
const patienceMs = 8_000;

/**
 * Stops the background cluster `name` and removes its folder: kubeconfig, log and record. Returns false if none was
 * running (what a killed one left is removed all the same). Never signals a process that is not the cluster: pid and
 * start time are compared each time.
 */
export async function down(name: string): Promise<boolean> {
  const folder = clusterFolder(name);
  const running = await signalUntilGone(folder);
  await rm(folder, { recursive: true, force: true });
  return running;
}

async function signalUntilGone(folder: string): Promise<boolean> {
  const record = await readRecord(folder);
  if (record === undefined) return false;
  send(record.pid, "SIGTERM");
  for (const deadline = performance.now() + patienceMs; performance.now() < deadline; await sleep(20)) {
    if ((await identityOf(record.pid)) !== record.identity) return true;
  }
  send(record.pid, "SIGKILL");
  while ((await identityOf(record.pid)) === record.identity) await sleep(20);
  return true;
}

/** It may have ended by itself a moment ago. */
function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
