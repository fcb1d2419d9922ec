import { chmod, copyFile, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { execa } from "execa";
import { unpackDebian } from "./debian.ts";
import type { ImageRecipe } from "./recipe.ts";

export interface FillOptions {
  /** Downloaded Debian packages: one folder for all images. */
  readonly downloads: string;
  /** A folder for build results. */
  readonly folder: string;
  readonly signal?: AbortSignal;
}

/** Creates the file system of an image in an empty folder. */
export async function fillRoot(recipe: ImageRecipe, root: string, options: FillOptions): Promise<void> {
  if (recipe.debian.length > 0) await unpackDebian(recipe.debian, root, options);
  if (recipe.shell) await linkShell(root, options.signal);
  if (recipe.certificates) await bundleCertificates(root);
  for (const [path, mode] of Object.entries(recipe.folders ?? {})) {
    await mkdir(join(root, path), { recursive: true });
    // The umask applies to mkdir's own mode.
    await chmod(join(root, path), mode);
  }
  for (const [path, target] of Object.entries(recipe.links ?? {})) await symlink(target, join(root, path));
  if (recipe.shell) await nameUsers(root);
  if (recipe.program) {
    const path = join(root, recipe.program.path);
    await mkdir(dirname(path), { recursive: true });
    await copyFile(await recipe.program.find(options), path);
    await chmod(path, 0o755);
  }
}

/** Links the commands that busybox lists. */
async function linkShell(root: string, signal?: AbortSignal): Promise<void> {
  const busybox = join(root, "bin/busybox");
  const { stdout } = await execa(busybox, ["--list-full"], signal ? { cancelSignal: signal } : {});
  for (const command of stdout.split("\n").filter(Boolean)) {
    await mkdir(dirname(join(root, command)), { recursive: true });
    // Programs of other packages stay.
    await symlink("/bin/busybox", join(root, command)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  }
}

async function nameUsers(root: string): Promise<void> {
  await mkdir(join(root, "etc"), { recursive: true });
  for (const file of ["passwd", "group"])
    await copyFile(join(import.meta.dirname, "../../images/shell", file), join(root, "etc", file));
}

/** Does the work of the package's postinst. */
async function bundleCertificates(root: string): Promise<void> {
  const folder = join(root, "usr/share/ca-certificates/mozilla");
  const files = (await readdir(folder)).filter((file) => file.endsWith(".crt")).sort();
  const certificates = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
  await mkdir(join(root, "etc/ssl/certs"), { recursive: true });
  await writeFile(join(root, "etc/ssl/certs/ca-certificates.crt"), certificates.join(""));
}
