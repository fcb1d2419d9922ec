import { setTimeout as sleep } from "node:timers/promises";
import { ApiError, type Client, createClient } from "@operator-path/client";
import type { Cluster } from "@operator-path/cluster";
import { decoyNamespace } from "../oracles/decoy.ts";
import type { Page } from "../page/page.ts";
import {
  type ClusterObject,
  isCustom,
  isLasting,
  type ListOptions,
  listObjects,
  notDeclared,
  type ObjectScope,
  ownObjects,
  scopeOf,
} from "./cluster-objects.ts";
import { madeForNamespace, removeLeftovers } from "./leftovers.ts";
import { kill, listeningPorts, markedProcesses } from "./processes.ts";
import { leakedFiles, watchedFiles } from "./watched-files.ts";

/** What existed before a page ran. */
export interface Snapshot {
  readonly files: ReadonlyMap<string, string>;
  /** Undefined for a page without a cluster. */
  readonly cluster: ClusterSnapshot | undefined;
}

export interface ClusterSnapshot {
  readonly client: Client;
  /** In a cluster that others use: the only objects that a run looks at. Undefined: all. */
  readonly scope: ObjectScope | undefined;
  /** By path. */
  readonly objects: Objects;
  /**
   * Existing objects that look like the page's own: in its namespace, or on its `creates` list. Sorted
   * labels.
   */
  readonly taken: readonly string[];
  /** Reports whether an object can be the page's own. */
  own(object: ClusterObject): boolean;
}

/** Objects by their path. */
export type Objects = ReadonlyMap<string, ClusterObject>;

/** How long processes may take to end, in milliseconds. */
const patience = 10_000;

/** Notes the files and the objects of the cluster before the page runs. Close it with `closeSnapshot`. */
export async function takeSnapshot(page: Page, cluster: Cluster | undefined): Promise<Snapshot> {
  const files = watchedFiles(page);
  if (!cluster) return { files, cluster: undefined };
  const client = createClient(cluster.kubeConfig, { userAgent: "walkthrough", onWarning: () => {} });
  const { creates } = page.frontMatter;
  const scope = cluster.namespace === undefined ? undefined : scopeOf(creates, cluster.namespace);
  const own = ownObjects(creates, cluster.namespace ?? "default");
  const objects = await settledObjects(client, scope);
  const taken = [...objects.values()].filter(
    (object) => own(object) && isLasting(object) && !madeForNamespace(object),
  );
  return {
    files,
    cluster: { client, scope, objects, own, taken: taken.map(({ label }) => label).toSorted() },
  };
}

export async function closeSnapshot({ cluster }: Snapshot): Promise<void> {
  await cluster?.client.close();
}

/** Returns the objects of these kinds that can be the page's. Empty without a cluster. */
export async function listOwn({ cluster }: Snapshot, kinds: Kinds): Promise<Objects> {
  return cluster ? list(cluster, kinds) : new Map();
}

type Kinds = NonNullable<ListOptions["kinds"]>;

function list({ client, scope }: Pick<ClusterSnapshot, "client" | "scope">, kinds: Kinds): Promise<Objects> {
  return listObjects(client, { ...(scope && { scope }), without: [decoyNamespace], kinds });
}

/** A cluster that has just started still creates objects: two lists must agree. */
async function settledObjects(client: Client, scope: ObjectScope | undefined): Promise<Objects> {
  const all = (): Promise<Objects> => list({ client, scope }, () => true);
  const lasting = (objects: Objects): number => [...objects.values()].filter(isLasting).length;
  let before = await all();
  for (let i = 0; i < 50; i++) {
    await sleep(100);
    const now = await all();
    if (lasting(now) === lasting(before)) return now;
    before = now;
  }
  return before;
}

/** Changes an annotation of each custom resource that can be the page's, and changes it back. */
export async function pokeCustomResources({ cluster }: Snapshot): Promise<void> {
  if (!cluster) return;
  const headers = { "content-type": "application/merge-patch+json" };
  const objects = [...(await list(cluster, isCustom)).values()];
  for (const value of ["yes", null]) {
    const body = { metadata: { annotations: { "operator-path/poked": value } } };
    await Promise.all(
      objects.map(({ path }) =>
        cluster.client.request({ method: "PATCH", path, headers, body }).catch((error: unknown) => {
          // The object may be deleted by now.
          if (!(error instanceof ApiError)) throw error;
        }),
      ),
    );
  }
}

/** Returns what the page has made so far outside of its namespace, and does not list in `creates`. */
export async function undeclaredObjects({ cluster }: Snapshot): Promise<string[]> {
  if (!cluster) return [];
  // The step that needs the cluster reports that it does not answer.
  const now = await list(cluster, isLasting).catch(() => cluster.objects);
  const made = [...now.values()].filter(({ path }) => !cluster.objects.has(path));
  return notDeclared(made, cluster.own);
}

/**
 * Ends leaked processes. Resolves to a line for everything that the page left behind, or that says that the
 * cluster does not answer. Call it once, after the terminals are closed.
 *
 * @param marker the marker of the run's processes
 * @param options.cluster look at the cluster too. Controllers may take `removal` ms to remove deleted objects
 * @param options.interrupted end processes at once, and do not report them
 */
export async function findLeaks(
  page: Page,
  marker: string,
  { files, cluster }: Snapshot,
  options: { readonly cluster: boolean; readonly interrupted: boolean; readonly removal: number },
): Promise<string[]> {
  const leaks = [
    ...(await leakedProcesses(marker, options.interrupted)),
    ...leakedFiles(files, watchedFiles(page)),
  ];
  if (cluster && options.cluster)
    leaks.push(
      ...(await leakedObjects(cluster, options.removal).catch((error: Error) => [
        `perhaps objects in the cluster, which does not answer: ${error.message}`,
      ])),
    );
  return leaks;
}

async function leakedProcesses(marker: string, interrupted: boolean): Promise<string[]> {
  const deadline = Date.now() + (interrupted ? 0 : patience);
  let left = markedProcesses(marker);
  while (left.length > 0 && Date.now() < deadline) {
    await sleep(50);
    left = markedProcesses(marker);
  }
  const listening = interrupted ? undefined : listeningPorts(left.map(({ pid }) => pid));
  for (const { pid } of left) kill(pid);
  while (markedProcesses(marker).length > 0) await sleep(10);
  if (interrupted) return [];
  return left.map(({ pid, command }) => {
    const found = listening?.get(pid) ?? [];
    const ports = found.length === 0 ? "" : `, which listens on ${found.join(", ")}`;
    return `process ${pid} \`${command}\`${ports}`;
  });
}

async function leakedObjects(cluster: ClusterSnapshot, removal: number): Promise<string[]> {
  const labelsOf = (objects: Objects): ReadonlyMap<string, string> =>
    new Map(
      [...objects.values()]
        .filter((object) => isLasting(object) && (cluster.scope === undefined || cluster.own(object)))
        .map(({ path, label }) => [path, label]),
    );
  const before = labelsOf(cluster.objects);
  const deadline = Date.now() + removal;
  for (let wait = 50; ; wait = Math.min(wait * 2, 1000)) {
    const now = labelsOf(await list(cluster, isLasting));
    const left = [...now].filter(([path]) => !before.has(path));
    const deleted = [...before].filter(([path]) => !now.has(path));
    const leaks = [
      ...left.map(([, label]) => `in the cluster: ${label}`),
      ...deleted.map(([, label]) => `deleted from the cluster: ${label}`),
    ];
    if (leaks.length === 0 || Date.now() > deadline) return leaks;
    await sleep(wait);
  }
}

/**
 * Removes what the page left in its own namespace and what it `creates`, for a cluster that others use
 * afterwards. Resolves to a line for each object that it could not remove.
 *
 * @param finalizers milliseconds after which the finalizers of custom resources are removed
 */
export async function removeLeftObjects(
  page: Page,
  { cluster }: Snapshot,
  finalizers: number,
): Promise<string[]> {
  if (!cluster) return [];
  const { client, objects: before, own, scope } = cluster;
  return removeLeftovers({ client, list: () => list(cluster, () => true), before, own, finalizers }).catch(
    (error: Error) => {
      // A cluster without a scope ends with the run.
      if (scope === undefined) return [];
      const command = `kubectl delete ${page.frontMatter.creates.join(" ")}`;
      return [`the run could not remove the objects of the page (${error.message}): run \`${command}\``];
    },
  );
}
