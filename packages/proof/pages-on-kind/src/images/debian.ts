import { cp, mkdir, readdir, rename, rm, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { UserError } from "@operator-path/cluster/user-error";
import { ExecaError, execa } from "execa";

export interface UnpackOptions {
  /** An existing folder for the packages. */
  readonly downloads: string;
  readonly signal?: AbortSignal;
}

/**
 * Unpacks Debian packages and the libraries that they need into a folder. Runs no program of them. Leaves out
 * documentation and translations.
 * @throws UserError if this machine is not Debian, or its mirror is not reachable
 */
export async function unpackDebian(
  packages: readonly string[],
  root: string,
  { downloads, signal }: UnpackOptions,
): Promise<void> {
  const all = await withLibraries(packages, signal);
  const had = new Set(await readdir(downloads));
  const missing = all.filter((name) => ![...had].some((file) => file.startsWith(`${name}_`)));
  if (missing.length > 0) await run("apt-get", ["download", ...missing], { cwd: downloads, signal });
  const files = await readdir(downloads);
  for (const name of all) {
    const file = files.find((file) => file.startsWith(`${name}_`));
    if (file === undefined) throw new UserError(`apt-get download ${name} wrote no package`);
    await run("dpkg-deb", ["--extract", join(downloads, file), root], { signal });
  }
  await mergeUsr(root);
  for (const path of ["doc", "man", "info", "locale", "lintian", "bug"])
    await rm(join(root, "usr/share", path), { recursive: true, force: true });
}

/**
 * Returns the packages and the libraries that they depend on. Other dependencies only configure, and are not
 * needed.
 */
async function withLibraries(packages: readonly string[], signal?: AbortSignal): Promise<string[]> {
  const wanted = new Set(packages);
  for (const name of wanted) {
    const { stdout } = await run("apt-cache", ["depends", "--important", name], { signal });
    for (const [, depends] of stdout.matchAll(/^ {1,2}\|?(?:Pre)?Depends: (\S+)$/gm))
      if (depends && /^(?:lib|zlib1g$)/.test(depends)) wanted.add(depends);
  }
  return [...wanted];
}

/** Links /bin, /sbin, /lib and /lib64 into /usr, as in an installed Debian. */
async function mergeUsr(root: string): Promise<void> {
  for (const name of ["bin", "sbin", "lib", "lib64"]) {
    const [outer, inner] = [join(root, name), join(root, "usr", name)];
    const [hasOuter, hasInner] = await Promise.all([exists(outer), exists(inner)]);
    if (hasOuter) {
      if (!hasInner) {
        await mkdir(join(root, "usr"), { recursive: true });
        await rename(outer, inner);
      } else {
        await cp(outer, inner, { recursive: true, verbatimSymlinks: true });
        await rm(outer, { recursive: true });
      }
    }
    if (hasOuter || hasInner) await symlink(`usr/${name}`, outer);
  }
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function run(
  program: string,
  args: readonly string[],
  { cwd, signal }: { readonly cwd?: string; readonly signal: AbortSignal | undefined },
): Promise<{ stdout: string }> {
  try {
    const { stdout } = await execa(program, [...args], {
      env: { LC_ALL: "C" },
      ...(cwd !== undefined && { cwd }),
      ...(signal && { cancelSignal: signal }),
    });
    return { stdout };
  } catch (error) {
    if (!(error instanceof ExecaError) || error.isCanceled) throw error;
    throw new UserError(
      error.code === "ENOENT"
        ? `${program} is not on the PATH: images without a registry are built from Debian packages, so on Debian or Ubuntu only`
        : `${program} ${args.join(" ")} failed: ${(error.stderr ?? "").trim().split("\n").at(-1)} (an \`apt-get update\` may help)`,
    );
  }
}
