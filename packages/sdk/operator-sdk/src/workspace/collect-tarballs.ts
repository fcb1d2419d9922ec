import { copyFile, mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { PackedPackage } from "./pack-packages.ts";

/**
 * Copies tarballs to a folder with the names of `npm pack`, and removes all other tarballs from it. Replaces
 * each file in one step.
 *
 * @returns the paths of the tarballs, in the order of `packed`
 */
export async function collectTarballs(packed: readonly PackedPackage[], folder: string): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const names = packed.map(
    ({ name, version }) => `${name.replace("@", "").replace("/", "-")}-${version}.tgz`,
  );
  await Promise.all(
    packed.map(async ({ tarball }, index) => {
      const file = join(folder, names[index] ?? "");
      await copyFile(tarball, `${file}.${process.pid}`);
      await rename(`${file}.${process.pid}`, file);
    }),
  );
  const old = (await readdir(folder)).filter((name) => name.endsWith(".tgz") && !names.includes(name));
  await Promise.all(old.map((name) => rm(join(folder, name), { force: true })));
  return names.map((name) => join(folder, name));
}
