import { execFile } from "node:child_process";
import { basename, dirname } from "node:path";
import { promisify } from "node:util";
import { UserError } from "@operator-path/cluster/user-error";
import { findPnpm } from "../run/find-pnpm.ts";

/** For a UserError. */
export const noPnpm = "pnpm is not there: run this through it (`npx --yes pnpm@12 verify`), or install it";

/** The store that the repository's install filled. pnpm adds the store's version itself. Throws UserError without pnpm. */
export async function pnpmStore(root: string, signal?: AbortSignal): Promise<string> {
  const [program, ...args] = findPnpm(process.env) ?? [];
  if (program === undefined) throw new UserError(noPnpm);
  const { stdout } = await promisify(execFile)(program, [...args, "store", "path"], { cwd: root, signal });
  const path = stdout.trim().split("\n").at(-1) ?? "";
  return /^v\d+$/.test(basename(path)) ? dirname(path) : path;
}

/**
 * Variables with which `pnpm install` takes what a lockfile names from that store, whoever wrote the lockfile: that
 * of `operator-sdk init` is cut out of the repository's, which pnpm has checked when it installed the repository.
 */
export async function installFromStore(root: string, signal?: AbortSignal): Promise<Record<string, string>> {
  return {
    pnpm_config_store_dir: await pnpmStore(root, signal),
    pnpm_config_prefer_offline: "true",
    pnpm_config_trust_lockfile: "true",
  };
}
