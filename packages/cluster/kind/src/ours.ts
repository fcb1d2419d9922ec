import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, rm, rmdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { userDirectories } from "@operator-path/tools";

/** Marks containers that this package has created, and may remove. */
export const ourLabel = "operator-path.kind";

/**
 * Things without labels, which are ours only if we recorded it: kind's network by its id, a kubeconfig by its
 * path.
 */
export type OurThing = "network" | "kubeconfig";

/** Records that we created something. The record outlives this process. */
export async function recordAsOurs(thing: OurThing, id: string, env: NodeJS.ProcessEnv): Promise<void> {
  const path = recordPath(thing, id, env);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(path, `${id}\n`, { mode: 0o600 });
}

export function isOurs(thing: OurThing, id: string, env: NodeJS.ProcessEnv): boolean {
  return existsSync(recordPath(thing, id, env));
}

/** Removes the record of a deleted thing. The last record also removes the folder. */
export async function removeRecord(thing: OurThing, id: string, env: NodeJS.ProcessEnv): Promise<void> {
  const path = recordPath(thing, id, env);
  await rm(path, { force: true });
  await rmdir(dirname(path)).catch(() => undefined);
  await rmdir(dirname(dirname(path))).catch(() => undefined);
}

function recordPath(thing: OurThing, id: string, env: NodeJS.ProcessEnv): string {
  const name = createHash("sha256").update(id).digest("hex").slice(0, 32);
  return join(userDirectories(env).state, "kind", `${thing}-${name}`);
}
