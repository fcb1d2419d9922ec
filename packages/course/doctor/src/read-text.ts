import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Machine } from "./machine.ts";

/** Reads `/proc/…`, `/sys/…` or `/etc/…`. Undefined if the file is missing or unreadable. */
export async function readText(machine: Machine, path: string): Promise<string | undefined> {
  try {
    return await readFile(join(machine.root, path), "utf8");
  } catch {
    return undefined;
  }
}
