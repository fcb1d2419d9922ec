import { copyFile, mkdir } from "node:fs/promises";
import { basename, join } from "node:path";
import type { PackedPackage } from "./pack-packages.ts";

/**
 * Copies tarballs into a folder, for projects that must work without the checkout. Creates the folder if
 * necessary.
 *
 * @returns the copies
 */
export async function copyTarballs(
  packed: readonly PackedPackage[],
  folder: string,
): Promise<PackedPackage[]> {
  await mkdir(folder, { recursive: true });
  return Promise.all(
    packed.map(async (found) => {
      const tarball = join(folder, basename(found.tarball));
      await copyFile(found.tarball, tarball);
      return { ...found, tarball };
    }),
  );
}
