import { setTimeout as sleep } from "node:timers/promises";
import { ApiError, type Client, createClient } from "@operator-path/client";
import type { Cluster } from "@operator-path/cluster";
import type { Page } from "../page/page.ts";
import { type ClusterObject, listObjects } from "./cluster-objects.ts";
import { decoyNamespace } from "./decoy/decoy.ts";
import type { RunEnvironment } from "./environment.ts";
import { isCustom, madeForNamespace, removeLeftovers } from "./leftovers.ts";
import { kill, markedProcesses } from "./processes.ts";
import { ownObjects, scopeOf, undeclaredObjects } from "./undeclared.ts";
import { leakedFiles, watchedFiles } from "./watched-files.ts";

export interface LeakCheck {
  /**
   * Ends leaked processes. Resolves to everything that the page left behind, or to a line that says so when the cluster
   * does not answer. Call it once, after the terminals are closed.
   *
   * @param o.cluster whether to look at the cluster, where controllers may take `removal` ms to remove what was deleted
   */
  finish(o: { cluster: boolean; interrupted: boolean; removal: number }): Promise<string[]>;
  /** The objects that can be the page's, by their path; undefined without a cluster. */
  objects(): Promise<Objects> | undefined;
  /** Changes an annotation of each custom resource that can be the page's, and changes it back. */
  poke(): Promise<void>;
  /**
   * What existed before the run and looks like the page's own: it is in the page's namespace, or on its `creates` list.
   */
  readonly taken: readonly string[];
  /** What the page has made so far outside of its namespace, and does not list in `creates`. */
  undeclared(): Promise<string[]>;
  /**
   * Removes what the page left in its own namespace and what it `creates`, for a cluster that others use afterwards.
   * Removes finalizers of custom resources after `finalizers` milliseconds. Resolves to what could not be removed.
   */
  clear(finalizers: number): Promise<string[]>;
  close(): Promise<void>;
}

/** How long processes may take to end, in milliseconds. */
const patience = 3_000;

export type Objects = ReadonlyMap<string, ClusterObject>;

/** Notes how things are before the page runs. */
export async function startLeakCheck(
  page: Page,
  environment: RunEnvironment,
  cluster: Cluster | undefined,
): Promise<LeakCheck> {
  const filesBefore = watchedFiles(page);
  const client =
    cluster && createClient(cluster.kubeConfig, { userAgent: "walkthrough", onWarning: () => {} });
  const { creates } = page.frontMatter;
  // In a cluster that others use nothing is looked at but what can be this page's.
  const scope = cluster?.namespace === undefined ? undefined : scopeOf(creates, cluster.namespace);
  const list = client && (() => listObjects(client, { ...(scope && { scope }), without: [decoyNamespace] }));
  const before = list && (await settledObjects(list));
  const own = ownObjects(creates, cluster?.namespace ?? "default");
  const looked = (objects: Objects): ReadonlyMap<string, string> =>
    new Map(
      [...objects.values()]
        .filter((object) => !object.volatile && (scope === undefined || own(object)))
        .map(({ path, label }) => [path, label]),
    );
  const taken = [...(before?.values() ?? [])].filter(
    (object) => own(object) && !object.volatile && !madeForNamespace(object),
  );
  return {
    objects: () => list?.(),
    async poke() {
      if (client && list) await pokeCustomResources(client, [...(await list()).values()]);
    },
    taken: taken.map(({ label }) => label).toSorted(),
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
      // The step that needs the cluster reports that it does not answer.
      const now = await list().catch(() => before);
      return undeclaredObjects(
        [...now.values()].filter(({ path }) => !before.has(path)),
        own,
      );
    },
    async clear(finalizers) {
      if (!client || !list || !before) return [];
      return removeLeftovers({ client, list, before, own, finalizers }).catch((error: Error) => {
        // Of a cluster of ours, which ends anyway, there is nothing more to be said.
        if (scope === undefined) return [];
        const where = `\`kubectl delete ${creates.join(" ")}\``;
        return [`what the page has made could not be removed (${error.message}); by hand: ${where}`];
      });
    },
    async close() {
      await client?.close();
    },
  };
}

const annotation = "operator-path/poked";

async function pokeCustomResources(client: Client, objects: readonly ClusterObject[]): Promise<void> {
  const headers = { "content-type": "application/merge-patch+json" };
  for (const value of ["yes", null])
    await Promise.all(
      objects.filter(isCustom).map(({ path }) =>
        client
          .request({
            method: "PATCH",
            path,
            headers,
            body: { metadata: { annotations: { [annotation]: value } } },
          })
          .catch(ignoreRefusal),
      ),
    );
}

/** It may be gone by now. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof ApiError)) throw error;
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
