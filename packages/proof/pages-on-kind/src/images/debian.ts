import { cp, mkdir, readdir, rename, rm, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { UserError } from "@operator-path/cluster/user-error";
import { ExecaError, execa } from "execa";

export interface UnpackOptions {
  /** A folder for the packages, which is there. */
  readonly downloads: string;
  readonly signal?: AbortSignal;
}

/**
 * Unpacks Debian's packages, and the libraries that they need, into a folder; nothing of them is run. What is for
 * reading (manuals, translations) is left out.
 * @throws UserError where this machine is no Debian, or its mirror is not reached
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
    if (file === undefined) throw new UserError(`apt-get download ${name} left no package behind`);
    await run("dpkg-deb", ["--extract", join(downloads, file), root], { signal });
  }
  await mergeUsr(root);
  for (const path of ["doc", "man", "info", "locale", "lintian", "bug"])
    await rm(join(root, "usr/share", path), { recursive: true, force: true });
}

/** With what they depend on, as far as it is a library: programs of packages that only configure are not wanted. */
async function withLibraries(packages: readonly string[], signal?: AbortSignal): Promise<string[]> {
  const wanted = new Set(packages);
  for (const name of wanted) {
    const { stdout } = await run("apt-cache", ["depends", "--important", name], { signal });
    for (const [, depends] of stdout.matchAll(/^ {1,2}\|?(?:Pre)?Depends: (\S+)$/gm))
      if (depends && /^(?:lib|zlib1g$)/.test(depends)) wanted.add(depends);
  }
  return [...wanted];
}

/** /bin, /sbin, /lib and /lib64 lead into /usr, as in an installed Debian, whether a package knows of it or not. */
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
        ? `${program} is not on the PATH: images without a registry are made of Debian's packages, so on Debian or Ubuntu only`
        : `${program} ${args.join(" ")} failed: ${(error.stderr ?? "").trim().split("\n").at(-1)} (an \`apt-get update\` may help)`,
    );
  }
}
