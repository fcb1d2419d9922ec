import { randomBytes } from "node:crypto";
import { link, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { identityOf, userDirectories } from "@operator-path/tools";
import { z } from "zod";
import { writePrivateFile } from "../private-file.ts";

const schema = z.object({
  name: z.string(),
  pid: z.int().positive(),
  /** identityOf(pid). If another process has the pid, the record is stale. */
  identity: z.string(),
  /** RFC 3339. */
  since: z.string(),
  phase: z.enum(["starting", "running"]),
  url: z.string().optional(),
  kubeconfigPath: z.string().optional(),
  nodes: z
    .array(z.object({ name: z.string(), role: z.enum(["control-plane", "worker"]) }))
    .readonly()
    .optional(),
  /** The sandbox around Pods that run as local processes. */
  fence: z
    .object({ kind: z.enum(["bubblewrap", "namespaces", "node"]), reason: z.string().optional() })
    .optional(),
});

/** The record of a background cluster: `cluster.json` in its folder. */
export type ClusterRecord = Readonly<z.infer<typeof schema>>;

/** Returns the folder with a background cluster's record, kubeconfig and log. */
export function clusterFolder(name: string, env: NodeJS.ProcessEnv = process.env): string {
  return join(clustersFolder(env), name);
}

/** Returns the names of the background clusters whose processes are alive. */
export async function runningClusters(env: NodeJS.ProcessEnv = process.env): Promise<string[]> {
  const folder = clustersFolder(env);
  const names = await readdir(folder).catch(() => []);
  const records = await Promise.all(names.map((name) => readRecord(join(folder, name))));
  return records.flatMap((record) => record?.name ?? []).sort();
}

function clustersFolder(env: NodeJS.ProcessEnv): string {
  return join(userDirectories(env).state, "clusters");
}

/**
 * Reads the record of a cluster whose process is alive. Returns undefined if the record is missing, stale or
 * unreadable.
 */
export async function readRecord(folder: string): Promise<ClusterRecord | undefined> {
  const record = await readFile(join(folder, "cluster.json"), "utf8").then(parse, () => undefined);
  return record && (await identityOf(record.pid)) === record.identity ? record : undefined;
}

/**
 * Records that this process is the cluster `name`. Returns undefined if a live cluster has the name. Of
 * several processes that claim the name at once, exactly one succeeds, because link() fails if the file
 * exists.
 */
export async function claimCluster(folder: string, name: string): Promise<ClusterRecord | undefined> {
  const { pid } = process;
  const identity = (await identityOf(pid)) ?? "";
  const record: ClusterRecord = { name, pid, identity, since: new Date().toISOString(), phase: "starting" };
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, "cluster.json");
  const draft = unique(path);
  await writeFile(draft, JSON.stringify(record), { mode: 0o600, flag: "wx" });
  try {
    while (!(await linked(draft, path))) {
      if (await readRecord(folder)) return undefined;
      await removeStale(path);
    }
    return record;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Replaces this process's own record. */
export async function publishRecord(folder: string, record: ClusterRecord): Promise<void> {
  await writePrivateFile(join(folder, "cluster.json"), JSON.stringify(record));
}

/** Removes this process's own record. */
export async function withdrawRecord(folder: string): Promise<void> {
  await rm(join(folder, "cluster.json"), { force: true });
}

async function linked(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/**
 * Moves the stale record aside before deleting it. If a live record has just replaced the stale one, it is
 * put back.
 */
async function removeStale(path: string): Promise<void> {
  const aside = unique(path);
  try {
    await rename(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  const record = parse(await readFile(aside, "utf8"));
  if (record && (await identityOf(record.pid)) === record.identity) await linked(aside, path);
  await rm(aside, { force: true });
}

function unique(path: string): string {
  return `${path}.${randomBytes(6).toString("hex")}`;
}

function parse(text: string): ClusterRecord | undefined {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
