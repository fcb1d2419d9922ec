import { randomUUID } from "node:crypto";
import { type FileHandle, open, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject } from "../json.ts";

/**
 * Opens a file of mode 0600 for reading, and unlinks it. helm inherits it, and nothing stays behind when a
 * process is killed.
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
 * Returns JSON that go-yaml reads as well: it takes some characters for line breaks, and rejects others that
 * JSON does not escape.
 */
export function valuesText(values: JsonObject): string {
  return JSON.stringify(values).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
