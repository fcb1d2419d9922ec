import { chmod, copyFile, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { execa } from "execa";
import { unpackDebian } from "./debian.ts";
import type { ImageRecipe } from "./recipe.ts";

export interface FillOptions {
  /** Debian's packages that were fetched: one folder for all images. */
  readonly downloads: string;
  /** A folder for what is built on the way. */
  readonly folder: string;
  readonly signal?: AbortSignal;
}

/** Makes the file system of an image, in a folder that is empty. */
export async function fillRoot(recipe: ImageRecipe, root: string, o: FillOptions): Promise<void> {
  if (recipe.debian.length > 0) await unpackDebian(recipe.debian, root, o);
  if (recipe.shell) await linkShell(root, o.signal);
  if (recipe.certificates) await bundleCertificates(root);
  for (const [path, mode] of Object.entries(recipe.folders ?? {})) {
    await mkdir(join(root, path), { recursive: true });
    // mkdir's own mode goes through the umask.
    await chmod(join(root, path), mode);
  }
  for (const [path, target] of Object.entries(recipe.links ?? {})) await symlink(target, join(root, path));
  if (recipe.shell) await nameUsers(root);
  if (recipe.program) {
    const path = join(root, recipe.program.path);
    await mkdir(dirname(path), { recursive: true });
    await copyFile(await recipe.program.find(o), path);
    await chmod(path, 0o755);
  }
}

/** busybox says itself which commands it is. */
async function linkShell(root: string, signal?: AbortSignal): Promise<void> {
  const busybox = join(root, "bin/busybox");
  const { stdout } = await execa(busybox, ["--list-full"], signal ? { cancelSignal: signal } : {});
  for (const command of stdout.split("\n").filter(Boolean)) {
    await mkdir(dirname(join(root, command)), { recursive: true });
    // What another package brings as a program of its own stays.
    await symlink("/bin/busybox", join(root, command)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  }
}

async function nameUsers(root: string): Promise<void> {
  await mkdir(join(root, "etc"), { recursive: true });
  const users = ["root:x:0:0:root:/root:/bin/sh", "nobody:x:65534:65534:nobody:/home:/bin/false"];
  await writeFile(join(root, "etc/passwd"), `${users.join("\n")}\n`);
  await writeFile(join(root, "etc/group"), "root:x:0:\nnogroup:x:65534:\n");
}

/** What the package's postinst would do. */
async function bundleCertificates(root: string): Promise<void> {
  const folder = join(root, "usr/share/ca-certificates/mozilla");
  const files = (await readdir(folder)).filter((file) => file.endsWith(".crt")).sort();
  const certificates = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
  await mkdir(join(root, "etc/ssl/certs"), { recursive: true });
  await writeFile(join(root, "etc/ssl/certs/ca-certificates.crt"), certificates.join(""));
}
