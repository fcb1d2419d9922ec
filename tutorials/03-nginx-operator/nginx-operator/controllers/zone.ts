import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Names at a DNS provider, outside of the cluster. A repeated call changes nothing. */
export interface Zone {
  set(name: string, address: string): Promise<void>;
  remove(name: string): Promise<void>;
}

/** Returns a zone that keeps each name in a file of a folder. It replaces a provider's API. */
export function folderZone(folder: string): Zone {
  return {
    async set(name, address) {
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, name), `${address}\n`);
    },
    async remove(name) {
      await rm(join(folder, name), { force: true });
    },
  };
}
