import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { parse } from "yaml";

/**
 * The file that kind writes a cluster's context to: the one asked for, otherwise of KUBECONFIG the first that exists or
 * the last, otherwise ~/.kube/config. As kubectl does it (`pkg/cluster/internal/kubeconfig/internal/kubeconfig/paths.go`).
 */
export function kubeconfigPathFor(explicit: string | undefined, env: NodeJS.ProcessEnv): string {
  if (explicit !== undefined) return resolve(explicit);
  const paths = (env.KUBECONFIG ?? "").split(delimiter).filter((path) => path !== "");
  const path = paths.find((each) => existsSync(each)) ?? paths.at(-1);
  return path === undefined ? join(env.HOME || homedir(), ".kube", "config") : resolve(path);
}

/** Removes a kubeconfig that has nothing in it any more; kind leaves it behind. */
export async function removeEmptyKubeconfig(path: string): Promise<void> {
  const text = await readFile(path, "utf8").catch(() => undefined);
  if (text === undefined) return;
  const config = read(text);
  if (config === undefined) return;
  const { kind, apiVersion, preferences, "current-context": current, ...rest } = config;
  const empty = (value: unknown): boolean =>
    value === null || value === undefined || value === "" || Object.keys(value as object).length === 0;
  if (
    kind === "Config" &&
    apiVersion === "v1" &&
    [preferences, current, ...Object.values(rest)].every(empty)
  ) {
    await rm(path, { force: true });
  }
}

function read(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
