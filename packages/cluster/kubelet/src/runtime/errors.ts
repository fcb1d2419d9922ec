import { getSystemErrorMap } from "node:util";

/**
 * Thrown when a container, or a process in one, could not be started. The message is runc's, from `exec: `
 * on.
 */
export class StartError extends Error {
  override readonly name = "StartError";
}

/**
 * Thrown when a container's specification cannot be carried out. The waiting state is
 * CreateContainerConfigError.
 */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/**
 * Thrown when the machine, not the Pod's specification, prevents creating a container or volume: the disk is
 * full, or no file descriptors are left. The message names no file that changes between tries, so every retry
 * repeats it word for word.
 */
export class HostError extends Error {
  override readonly name = "HostError";
}

/**
 * Runs a function that writes to this machine's disk.
 * @param folder what the message names
 * @throws HostError for a system error; any other error as it is
 */
export function onHost<T>(folder: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw asHostError(folder, error);
  }
}

/** Returns a system error as a HostError, and any other error as it is. */
export function asHostError(folder: string, error: unknown): unknown {
  const { errno, code } = error as NodeJS.ErrnoException;
  const words = errno === undefined ? undefined : getSystemErrorMap().get(errno)?.[1];
  if (words === undefined) return error;
  return new HostError(`write to ${folder} of this machine: ${words}${remedies[code ?? ""] ?? ""}`, {
    cause: error,
  });
}

const full = ": free some space on that disk";
const remedies: Readonly<Record<string, string>> = {
  ENOSPC: full,
  EDQUOT: full,
  EMFILE: ": raise the limit on open files (ulimit -n), or run fewer Pods",
  ENFILE: ": close other programs, or run fewer Pods",
};
