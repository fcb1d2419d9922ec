import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "@operator-path/client";
import type { Cluster } from "@operator-path/cluster";
import type { Page } from "../page/page.ts";
import { type ClusterObject, listObjects } from "./cluster-objects.ts";
import type { RunEnvironment } from "./environment.ts";
import { removeLeftovers } from "./leftovers.ts";
import { kill, markedProcesses } from "./processes.ts";
import { ownObjects, undeclaredObjects } from "./undeclared.ts";
import { leakedFiles, watchedFiles } from "./watched-files.ts";

export interface LeakCheck {
  /**
   * What is there that was not there before, or that nobody can say, when the cluster does not answer. Terminals are
   * closed by then. Leaked processes are ended. Once.
   *
   * @param o.cluster whether to look at the cluster, where controllers may take `removal` ms to remove what was deleted
   */
  finish(o: { cluster: boolean; interrupted: boolean; removal: number }): Promise<string[]>;
  /** What the page has made so far outside of any namespace, or in others' namespaces, and does not say in `creates`. */
  undeclared(): Promise<string[]>;
  /**
   * Removes what the page has made and left: in its own namespace, and what it `creates`. For a cluster that others use
   * afterwards. Finalizers of custom resources are taken off after that many milliseconds. Resolves to what is still there.
   */
  clear(finalizers: number): Promise<string[]>;
  close(): Promise<void>;
}

/** How long processes may take to end, in milliseconds. */
const patience = 3_000;

type Objects = ReadonlyMap<string, ClusterObject>;

/** Notes how things are before the page runs. */
export async function startLeakCheck(
  page: Page,
  environment: RunEnvironment,
  cluster: Cluster | undefined,
): Promise<LeakCheck> {
  const filesBefore = watchedFiles(page);
  const client = cluster && createClient(cluster.kubeConfig);
  const list = client && (() => listObjects(client));
  const before = list && (await settledObjects(list));
  const own = ownObjects(page.frontMatter.creates, cluster?.namespace ?? "default");
  // In a cluster that others use at the same time only what can be this page's is looked at.
  const looked = (objects: Objects): ReadonlyMap<string, string> =>
    new Map(
      [...objects.values()]
        .filter((object) => !object.volatile && (cluster?.provider !== "existing" || own(object)))
        .map(({ path, label }) => [path, label]),
    );
  return {
    async finish(o) {
      const leaks = [
        ...(await leakedProcesses(environment.marker, o.interrupted)),
        ...leakedFiles(filesBefore, watchedFiles(page)),
      ];
      if (list && before && o.cluster)
        leaks.push(
          ...(await leakedObjects(looked(before), o.removal, async () => looked(await list())).catch(
            unknownObjects,
          )),
        );
      return leaks;
    },
    async undeclared() {
      if (!list || !before) return [];
      return undeclaredObjects(
        [...(await list()).values()].filter(({ path }) => !before.has(path)),
        own,
      );
    },
    async clear(finalizers) {
      return client && before ? removeLeftovers(client, before, own, finalizers) : [];
    },
    async close() {
      await client?.close();
    },
  };
}

/** A cluster that has just started still makes things: two looks must agree. */
async function settledObjects(list: () => Promise<Objects>): Promise<Objects> {
  const lasting = (objects: Objects): number => [...objects.values()].filter((one) => !one.volatile).length;
  let before = await list();
  for (let i = 0; i < 50; i++) {
    await sleep(100);
    const now = await list();
    if (lasting(now) === lasting(before)) return now;
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

/** @param list what is looked at: path → label */
async function leakedObjects(
  before: ReadonlyMap<string, string>,
  patience: number,
  list: () => Promise<ReadonlyMap<string, string>>,
): Promise<string[]> {
  const deadline = Date.now() + patience;
  for (let wait = 50; ; wait = Math.min(wait * 2, 1000)) {
    const now = await list();
    const left = [...now]
      .filter(([path]) => !before.has(path))
      .map(([, label]) => `in the cluster: ${label}`);
    const gone = [...before]
      .filter(([path]) => !now.has(path))
      .map(([, label]) => `gone from the cluster: ${label}`);
    const leaks = [...left, ...gone];
    if (leaks.length === 0 || Date.now() > deadline) return leaks;
    await sleep(wait);
  }
}
