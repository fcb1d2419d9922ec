import { rm } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { identityOf } from "@operator-path/tools";
import { clusterFolder, readRecord } from "./record.ts";

/** How long a cluster may take to stop before it is killed. */
const patienceMs = 30_000;

/**
 * Stops the background cluster `name` and removes its folder: kubeconfig, log and record. Returns false if
 * none was running. Also removes the folder of a killed cluster. Never signals another process: pid and start
 * time are compared before each signal.
 */
export async function down(name: string): Promise<boolean> {
  const folder = clusterFolder(name);
  const running = await signalUntilExited(folder);
  await rm(folder, { recursive: true, force: true });
  return running;
}

async function signalUntilExited(folder: string): Promise<boolean> {
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

/** The process may have ended a moment ago. */
function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
