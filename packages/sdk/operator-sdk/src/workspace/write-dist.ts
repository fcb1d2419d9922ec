import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { PackedPackage } from "./pack-packages.ts";

/**
 * Writes packed files to the packages' own `dist`, for projects of the workspace, whose dependencies link to
 * these folders. Does not touch a file that is up to date. Replaces other files in one step, so readers never
 * see a partial file.
 */
export async function writeDist(root: string, packed: readonly PackedPackage[]): Promise<void> {
  for (const { tarball, importer } of packed) {
    for (const [path, content] of await contentsOf(tarball)) {
      const file = join(root, importer, path);
      if (!path.startsWith("dist/") || (existsSync(file) && readFileSync(file).equals(content))) continue;
      mkdirSync(dirname(file), { recursive: true });
      const temporary = `${file}.${process.pid}`;
      writeFileSync(temporary, content);
      renameSync(temporary, file);
    }
  }
}

/** Returns the files in a tarball by their path in the package. */
async function contentsOf(tarball: string): Promise<ReadonlyMap<string, Buffer>> {
  const { list } = await import("tar");
  const contents = new Map<string, Buffer>();
  const reading: Promise<void>[] = [];
  await list({
    file: tarball,
    onReadEntry: (entry) => {
      reading.push(
        entry.concat().then((content) => {
          contents.set(entry.path.replace(/^package\//, ""), content);
        }),
      );
    },
  });
  await Promise.all(reading);
  return contents;
}
