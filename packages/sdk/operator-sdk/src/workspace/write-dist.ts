import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { PackedPackage } from "./pack-packages.ts";

/**
 * Puts what was packed into the packages' own `dist`: for projects of the workspace, whose dependencies are links to
 * these folders. A file that is as it should be is not touched, and any other is exchanged at once, so that nobody who
 * reads meanwhile sees half of one.
 */
export async function writeDist(root: string, packed: readonly PackedPackage[]): Promise<void> {
  for (const { tarball, importer } of packed) {
    for (const [path, content] of await contentsOf(tarball)) {
      const file = join(root, importer, path);
      if (!path.startsWith("dist/") || (existsSync(file) && readFileSync(file).equals(content))) continue;
      mkdirSync(dirname(file), { recursive: true });
      const beside = `${file}.${process.pid}`;
      writeFileSync(beside, content);
      renameSync(beside, file);
    }
  }
}

/** Paths in the package, and what they hold. */
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
