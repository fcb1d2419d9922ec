import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "@operator-path/client";
import type { Cluster } from "@operator-path/cluster";
import type { Page } from "../page/page.ts";
import { listObjects } from "./cluster-objects.ts";
import type { RunEnvironment } from "./environment.ts";
import { kill, markedProcesses } from "./processes.ts";
import { leakedFiles, watchedFiles } from "./watched-files.ts";

export interface LeakCheck {
  /**
   * What is there that was not there before, or that nobody can say, when the cluster does not answer. Terminals are
   * closed by then. Leaked processes are ended. Once.
   *
   * @param o.cluster whether to look at the cluster, where controllers may take `removal` ms to remove what was deleted
   */
  finish(o: { cluster: boolean; interrupted: boolean; removal: number }): Promise<string[]>;
}

/** How long processes may take to end, in milliseconds. */
const patience = 3_000;

/** Notes how things are before the page runs. */
export async function startLeakCheck(
  page: Page,
  environment: RunEnvironment,
  cluster: Cluster | undefined,
): Promise<LeakCheck> {
  const filesBefore = watchedFiles(page);
  const client = cluster && createClient(cluster.kubeConfig);
  const objectsBefore = client && (await settledObjects(() => listObjects(client)));
  return {
    async finish(o) {
      const leaks = [
        ...(await leakedProcesses(environment.marker, o.interrupted)),
        ...leakedFiles(filesBefore, watchedFiles(page)),
      ];
      if (client && objectsBefore && o.cluster)
        leaks.push(
          ...(await leakedObjects(objectsBefore, o.removal, () => listObjects(client)).catch(unknownObjects)),
        );
      await client?.close();
      return leaks;
    },
  };
}

/** A cluster that has just started still makes things: two looks must agree. */
async function settledObjects(list: () => Promise<Set<string>>): Promise<Set<string>> {
  let before = await list();
  for (let i = 0; i < 50; i++) {
    await sleep(100);
    const now = await list();
    if (now.size === before.size) return now;
    before = now;
  }
  return before;
}

async function leakedProcesses(marker: string, interrupted: boolean): Promise<string[]> {
  const deadline = Date.now() + (interrupted ? 0 : patience);
  let left = markedProcesses(marker);
  while (left.length > 0 && Date.now() < deadline) {
    await sleep(50);
    left = markedProcesses(marker);
  }
  for (const { pid } of left) kill(pid);
  while (markedProcesses(marker).length > 0) await sleep(10);
  // An interrupted page had no chance to clean up.
  if (interrupted) return [];
  return left.map(({ pid, command, listening }) => {
    const ports = listening.length === 0 ? "" : `, which listens on ${listening.join(", ")}`;
    return `process ${pid} \`${command}\`${ports}`;
  });
}

function unknownObjects(error: Error): string[] {
  return [`perhaps objects in the cluster, which could not be asked: ${error.message}`];
}

async function leakedObjects(
  before: ReadonlySet<string>,
  patience: number,
  list: () => Promise<Set<string>>,
): Promise<string[]> {
  const deadline = Date.now() + patience;
  for (let wait = 50; ; wait = Math.min(wait * 2, 1000)) {
    const now = await list();
    const left = [...now]
      .filter((object) => !before.has(object))
      .map((object) => `in the cluster: ${object}`);
    const gone = [...before]
      .filter((object) => !now.has(object))
      .map((object) => `gone from the cluster: ${object}`);
    const leaks = [...left, ...gone];
    if (leaks.length === 0 || Date.now() > deadline) return leaks;
    await sleep(wait);
  }
}
