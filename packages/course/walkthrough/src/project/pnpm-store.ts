import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { access, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { UserError } from "@operator-path/cluster/user-error";
import { parse } from "yaml";
import { findPnpm } from "../run/programs.ts";

/** Message of a UserError. */
export const noPnpm = "pnpm is missing: run this through it (`npx --yes pnpm@12 verify`), or install it";

/**
 * Returns the store that the repository's install filled, from pnpm's note in `node_modules`. pnpm itself
 * would look in the current HOME, which may be another one. Undefined if that store is missing, or belongs to
 * another user.
 */
export async function installedStore(root: string): Promise<string | undefined> {
  try {
    const noted = parse(await readFile(join(root, "node_modules/.modules.yaml"), "utf8"));
    await access(noted.storeDir, constants.R_OK | constants.W_OK);
    return withoutVersion(noted.storeDir);
  } catch {
    return undefined;
  }
}

/** Returns the installed store, or the one that pnpm would use. Throws UserError without pnpm. */
export async function pnpmStore(root: string, signal?: AbortSignal): Promise<string> {
  const installed = await installedStore(root);
  if (installed !== undefined) return installed;
  const [program, ...args] = findPnpm(process.env) ?? [];
  if (program === undefined) throw new UserError(noPnpm);
  const { stdout } = await promisify(execFile)(program, [...args, "store", "path"], { cwd: root, signal });
  return withoutVersion(stdout.trim().split("\n").at(-1) ?? "");
}

/** Removes the store's version, which pnpm adds itself. */
function withoutVersion(path: string): string {
  return /^v\d+$/.test(basename(path)) ? dirname(path) : path;
}

/**
 * Returns variables with which `pnpm install` installs from that store, and trusts the lockfile. The lockfile
 * of `operator-sdk init` is a part of the repository's, which pnpm checked when it installed the repository.
 */
export async function installFromStore(root: string, signal?: AbortSignal): Promise<Record<string, string>> {
  return {
    pnpm_config_store_dir: await pnpmStore(root, signal),
    pnpm_config_prefer_offline: "true",
    pnpm_config_trust_lockfile: "true",
  };
}
