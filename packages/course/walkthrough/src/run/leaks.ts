import { existsSync, readdirSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "@operator-path/client";
import type { Cluster } from "@operator-path/cluster";
import type { Page } from "../page/page.ts";
import { listObjects } from "./cluster-objects.ts";
import type { RunEnvironment } from "./environment.ts";
import { kill, markedProcesses } from "./processes.ts";

export interface LeakCheck {
  /**
   * What is there that was not there before, or that nobody can say, when the cluster does not answer. Terminals are
   * closed by then. Leaked processes are ended. Once.
   */
  finish(o: { cluster: boolean; interrupted: boolean }): Promise<string[]>;
}

/** How long controllers may take to remove what Clean up has deleted, and processes to end, in milliseconds. */
const patience = { cluster: 30_000, processes: 3_000 } as const;

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
        leaks.push(...(await leakedObjects(objectsBefore, () => listObjects(client)).catch(unknownObjects)));
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
  const deadline = Date.now() + (interrupted ? 0 : patience.processes);
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
  list: () => Promise<Set<string>>,
): Promise<string[]> {
  const deadline = Date.now() + patience.cluster;
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

/**
 * Files that a page could leave: the tutorial's own folder, the person's kubeconfig, and every absolute path that the
 * page's text names. (HOME and TMPDIR of a page lie in the run's folder.)
 */
function watchedFiles(page: Page): Map<string, string> {
  const found = new Map<string, string>();
  const add = (path: string): void => {
    if (!existsSync(path)) return;
    const { mtimeMs, size, isDirectory } = describe(path);
    found.set(path, isDirectory ? "folder" : `${mtimeMs} ${size}`);
  };
  const tutorial = dirname(resolve(page.path));
  for (const entry of readdirSync(tutorial, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!/(?:^|[/\\])(?:node_modules|dist|\.turbo)(?:[/\\]|$)/.test(path)) add(path);
  }
  add(join(homedir(), ".kube/config"));
  for (const match of page.source.matchAll(
    /(?<![\w./:~$}"-])\/(?:tmp|home|root|etc|var|opt|srv|Users)\/[\w./-]+/g,
  ))
    add(match[0]);
  return found;
}

function describe(path: string): { mtimeMs: number; size: number; isDirectory: boolean } {
  const stat = statSync(path);
  return { mtimeMs: stat.mtimeMs, size: stat.size, isDirectory: stat.isDirectory() };
}

function leakedFiles(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [
    ...[...after].filter(([path]) => !before.has(path)).map(([path]) => `file ${path}`),
    ...[...after]
      .filter(([path, state]) => before.has(path) && before.get(path) !== state)
      .map(([path]) => `changed file ${path}`),
    ...[...before.keys()].filter((path) => !after.has(path)).map((path) => `removed file ${path}`),
  ];
}
