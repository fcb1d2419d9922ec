import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Names at a provider of names, outside of the cluster. Both may be done again, and change nothing then. */
export interface Zone {
  set(name: string, address: string): Promise<void>;
  remove(name: string): Promise<void>;
}

/** A zone that is a folder, with a file for each name. It stands in for a provider's API. */
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
