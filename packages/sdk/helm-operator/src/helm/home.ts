import { randomUUID } from "node:crypto";
import { readlinkSync } from "node:fs";
import { type FileHandle, mkdir, mkdtemp, open, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { KubeConfig } from "@operator-path/client";
import type { JsonObject } from "../json.ts";

/** The only folder that helm may write to. The rest of the file system may be read-only. */
export interface Home {
  readonly folder: string;
  /** The whole environment of helm's processes. They inherit nothing. */
  readonly environment: Readonly<Record<string, string>>;
  /**
   * Returns the content of helm's descriptor 3, to which KUBECONFIG leads; undefined: no such file. A file in
   * the folder would stay behind, with its token, when this process is killed.
   */
  kubeconfig(): string | undefined;
  remove(): Promise<void>;
}

/** A path under which a process can open its descriptor 3 repeatedly. */
const thirdDescriptor = "/dev/fd/3";

/** In a Pod, client-go finds the server by these variables, and the token in the Pod's files. */
const inCluster = ["KUBERNETES_SERVICE_HOST", "KUBERNETES_SERVICE_PORT"];

interface HomeOptions {
  /** undefined: helm runs in a Pod, with its ServiceAccount. */
  readonly kubeconfig: string | KubeConfig | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Creates a folder for this user only, among the temporary files. Removes the folders of killed operators.
 */
export async function createHome({ kubeconfig, environment, env }: HomeOptions): Promise<Home> {
  const parent = tmpdir();
  await sweepHomes(parent);
  const folder = await mkdtemp(join(parent, homePrefix(process.pid)));
  const own = (name: string) => join(folder, name);
  await mkdir(own("tmp"));
  const server: Record<string, string> = {};
  const byDescriptor = kubeconfig instanceof KubeConfig && reopensDescriptors(env);
  if (byDescriptor) server.KUBECONFIG = thirdDescriptor;
  else if (kubeconfig instanceof KubeConfig) {
    server.KUBECONFIG = own("kubeconfig");
    await writeFile(server.KUBECONFIG, kubeconfig.exportConfig(), { mode: 0o600 });
  } else if (kubeconfig !== undefined) {
    server.KUBECONFIG = resolve(kubeconfig);
  } else {
    for (const name of inCluster) if (env[name] !== undefined) server[name] = env[name];
    // Without it, client-go would look into HOME, find nothing, and then try a server on this machine.
    server.KUBECONFIG = own("none");
  }
  return {
    folder,
    environment: {
      HOME: folder,
      ...passedOn(environment),
      ...server,
      // client-go caches the server's kinds, by default in HOME.
      ...(environment.HOME !== undefined && { KUBECACHEDIR: own("kube") }),
      TMPDIR: own("tmp"),
      HELM_CACHE_HOME: own("cache"),
      HELM_CONFIG_HOME: own("config"),
      HELM_DATA_HOME: own("data"),
      HELM_DRIVER: "secret",
      HELM_NO_PLUGINS: "1",
    },
    kubeconfig: () => (byDescriptor ? kubeconfig.exportConfig() : undefined),
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/**
 * helm reads its kubeconfig more than once. Only Linux opens a descriptor's file from its beginning each
 * time; elsewhere the second reader would find nothing. In a Pod the folder disappears with the container,
 * and a Pod of the embedded cluster passes on only three descriptors.
 */
function reopensDescriptors(env: HomeOptions["env"]): boolean {
  return process.platform === "linux" && env.KUBERNETES_SERVICE_HOST === undefined;
}

/** helm's own variables would mislead it: another namespace, another server, another storage for releases. */
function passedOn(environment: HomeOptions["environment"]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith("HELM_"),
    ),
  );
}

/** Returns the start of the names of a process's folders. Unique among the live processes of this machine. */
export const homePrefix = (pid: number): string => `helm-operator-${pidNamespace()}-${pid}-`;

/** Distinguishes containers that share a folder and have the same PIDs. Returns "0" without namespaces. */
function pidNamespace(): string {
  try {
    return /\d+/.exec(readlinkSync("/proc/self/ns/pid"))?.[0] ?? "0";
  } catch {
    return "0";
  }
}

/**
 * Removes the folders of killed operators, with their content. Keeps folders of other PID namespaces, whose
 * operators may be alive. Never fails: a folder that it cannot remove stays.
 */
export async function sweepHomes(parent: string): Promise<void> {
  const names = await readdir(parent).catch(() => []);
  await Promise.all(names.map((name) => sweep(parent, name)));
}

async function sweep(parent: string, name: string): Promise<void> {
  const pid = Number(/^helm-operator-\d+-(\d+)-\w{6}$/.exec(name)?.[1]);
  if (!pid || !name.startsWith(homePrefix(pid))) return;
  const folder = join(parent, name);
  const found = await stat(folder).catch(() => undefined);
  // In a shared folder, another user's folder may have such a name.
  if (found?.uid !== process.getuid?.() || !found?.isDirectory()) return;
  // Some file systems record no creation time, and all record when a folder's metadata last changed.
  if (isOver(pid, found.ctimeMs)) await rm(folder, { recursive: true, force: true }).catch(() => {});
}

/** @param changedAt ms since epoch */
function isOver(pid: number, changedAt: number): boolean {
  // The operator of a container is often PID 1. A folder older than this process belongs to its predecessor.
  if (pid === process.pid) return changedAt < Date.now() - process.uptime() * 1000;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    // EPERM: it belongs to another user, and is alive.
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

/**
 * Opens a new file of mode 0600 for reading, and unlinks it. helm inherits it, and nothing stays behind when
 * a process is killed.
 *
 * @param name what the file's name begins with
 * @returns its handle; close it when helm has started
 */
export async function openUnlinked(folder: string, name: string, text: string): Promise<FileHandle> {
  const path = join(folder, `${name}-${randomUUID()}.json`);
  try {
    await writeFile(path, text, { flag: "wx", mode: 0o600 });
    return await open(path, "r");
  } finally {
    await rm(path, { force: true });
  }
}

/**
 * Returns JSON that go-yaml reads, too. go-yaml takes some characters for line breaks, and rejects others,
 * unless they are escaped.
 */
export function valuesText(values: JsonObject): string {
  return JSON.stringify(values).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
