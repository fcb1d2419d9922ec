import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Machine } from "./machine.ts";

/** The text of `/proc/…`, `/sys/…` or `/etc/…`; undefined where there is none, or it may not be read. */
export async function readText(machine: Machine, path: string): Promise<string | undefined> {
  try {
    return await readFile(join(machine.root, path), "utf8");
  } catch {
    return undefined;
  }
}
