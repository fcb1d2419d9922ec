import { posix } from "node:path";
import { ApiError, UsageError } from "../errors.ts";
import { type ExecOptions, exec } from "../pods/exec.ts";
import type { PodReference } from "../pods/pod-reference.ts";
import type { Transport } from "../transport.ts";
import { CopyError } from "./copy.ts";

/**
 * A path in a container, as passed to `tar`: a folder and the name of an entry in it. "." is the folder
 * itself.
 */
export interface ContainerPath {
  readonly folder: string;
  readonly name: string;
}

/** @throws UsageError when the path is empty or ends in ".." */
export function containerPath(path: string): ContainerPath {
  const plain = path === "" ? "" : posix.normalize(path).replace(/(?<=.)\/$/, "");
  if (plain === "" || posix.basename(plain) === ".." || plain.includes("\0")) {
    throw new UsageError(`${JSON.stringify(path)} does not name a file or folder of the container`);
  }
  return { folder: posix.dirname(plain), name: posix.basename(plain) || "." };
}

/** @throws CopyError when modern-tar is not installed */
export async function loadModernTar(): Promise<typeof import("modern-tar")> {
  try {
    return await import("modern-tar");
  } catch (cause) {
    throw new CopyError(
      "ModuleMissing",
      "copying files needs the npm package modern-tar: npm install modern-tar",
      {
        cause,
      },
    );
  }
}

/**
 * Runs `tar` in a container.
 *
 * @throws CopyError when the container has no tar, or its exit code is not 0
 * @throws the errors of `exec`
 */
export async function runTar(
  client: Transport,
  pod: PodReference,
  args: readonly string[],
  options: ExecOptions,
): Promise<void> {
  let result: { exitCode: number; stderr: string };
  try {
    result = await exec(client, pod, ["tar", ...args], options);
  } catch (error) {
    throw isMissing(error) ? missing(pod, error.message, error) : error;
  }
  const stderr = result.stderr.trim().slice(0, 1000);
  // Some runtimes start a shell, or report a command that cannot start with these exit codes.
  if (result.exitCode === 126 || result.exitCode === 127) throw missing(pod, stderr);
  if (result.exitCode !== 0) {
    throw new CopyError(
      "TarFailed",
      `tar in ${placeOf(pod)} ended with exit code ${result.exitCode}: ${stderr || "it wrote no error"}`,
    );
  }
}

/**
 * Returns whether a path in the container is a folder, or a symlink to one. Runs `test`, as kubectl does.
 * Returns false if the container has no `test`.
 *
 * @throws the errors of `exec`
 */
export async function hasFolder(
  client: Transport,
  pod: PodReference,
  path: string,
  options: ExecOptions,
): Promise<boolean> {
  try {
    return (await exec(client, pod, ["test", "-d", path], options)).exitCode === 0;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/**
 * Matches the runtime's `exec: "tar": executable file not found in $PATH` and `stat /bin/tar: no such file or
 * directory`.
 */
function isMissing(error: unknown): error is ApiError {
  return error instanceof ApiError && /executable file not found|no such file/.test(error.message);
}

function missing(pod: PodReference, detail: string, cause?: unknown): CopyError {
  return new CopyError(
    "TarMissing",
    `${placeOf(pod)} has no tar, which copying files needs: use an image with tar, or an ephemeral container${detail && ` (${detail})`}`,
    { cause },
  );
}

export function placeOf({ namespace, name, container }: PodReference): string {
  return container === undefined
    ? `the Pod ${namespace}/${name}`
    : `the container ${container} of ${namespace}/${name}`;
}
