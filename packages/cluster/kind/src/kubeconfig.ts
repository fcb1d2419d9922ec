import { existsSync } from "node:fs";
import { lstat, open, readFile, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { parse } from "yaml";
import { isOurs, removeRecord } from "./ours.ts";

/**
 * Returns the file that kind writes a cluster's context to: the given one, else of KUBECONFIG the first that
 * exists or the last, else ~/.kube/config. kubectl does the same
 * (`pkg/cluster/internal/kubeconfig/internal/kubeconfig/paths.go`).
 */
export function kubeconfigPathFor(explicit: string | undefined, env: NodeJS.ProcessEnv): string {
  if (explicit !== undefined) return resolve(explicit);
  const paths = (env.KUBECONFIG ?? "").split(delimiter).filter((path) => path !== "");
  const path = paths.find((each) => existsSync(each)) ?? paths.at(-1);
  return path === undefined ? join(env.HOME || homedir(), ".kube", "config") : resolve(path);
}

/**
 * Removes an empty kubeconfig that kind leaves behind, if we have created it. Locks it meanwhile, as kubectl
 * and kind do.
 */
export async function removeOurKubeconfig(path: string, env: NodeJS.ProcessEnv): Promise<void> {
  if (!isOurs("kubeconfig", path, env)) return;
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return removeRecord("kubeconfig", path, env);
  const lock = await open(`${path}.lock`, "wx").catch(() => undefined);
  // A locked file is being written, so it is not empty.
  if (lock === undefined) return;
  try {
    if (!found.isFile() || !isEmpty(read(await readFile(path, "utf8")))) return;
    await rm(path);
    await removeRecord("kubeconfig", path, env);
  } finally {
    await lock.close();
    await rm(`${path}.lock`, { force: true });
  }
}

/** Whether it has no clusters, contexts and users. */
function isEmpty(config: Record<string, unknown> | undefined): boolean {
  if (config === undefined) return false;
  const { kind, apiVersion, ...rest } = config;
  const empty = (value: unknown): boolean =>
    value === null || value === undefined || value === "" || Object.keys(value as object).length === 0;
  return kind === "Config" && apiVersion === "v1" && Object.values(rest).every(empty);
}

function read(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
