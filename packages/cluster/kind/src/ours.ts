import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, rm, rmdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { userDirectories } from "@operator-path/tools";

/** On a container that this package has made, and may remove. */
export const ourLabel = "operator-path.kind";

/** What has no labels, and is ours only if we have noted so: kind's network by its id, a kubeconfig by its path. */
export type OurThing = "network" | "kubeconfig";

/** Notes that something was not there before we made it; the note outlives this process. */
export async function noteAsOurs(thing: OurThing, id: string, env: NodeJS.ProcessEnv): Promise<void> {
  const note = noteFor(thing, id, env);
  await mkdir(dirname(note), { recursive: true, mode: 0o700 });
  await writeFile(note, `${id}\n`, { mode: 0o600 });
}

export function isOurs(thing: OurThing, id: string, env: NodeJS.ProcessEnv): boolean {
  return existsSync(noteFor(thing, id, env));
}

/** For what is gone; the last note takes the folder with it. */
export async function forget(thing: OurThing, id: string, env: NodeJS.ProcessEnv): Promise<void> {
  const note = noteFor(thing, id, env);
  await rm(note, { force: true });
  await rmdir(dirname(note)).catch(() => undefined);
  await rmdir(dirname(dirname(note))).catch(() => undefined);
}

function noteFor(thing: OurThing, id: string, env: NodeJS.ProcessEnv): string {
  const name = createHash("sha256").update(id).digest("hex").slice(0, 32);
  return join(userDirectories(env).state, "kind", `${thing}-${name}`);
}
