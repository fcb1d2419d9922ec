import { getSystemErrorMap } from "node:util";

/** A container, or a process in one, that could not be started. The message is runc's, from `exec: ` on. */
export class StartError extends Error {
  override readonly name = "StartError";
}

/** A container whose specification cannot be carried out as things are: its waiting state says CreateContainerConfigError. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/**
 * Thrown when the machine, not the Pod spec, prevents creating a container or volume: the disk is full, or no file descriptors are left.
 * The message names no file that changes between tries, so a kubelet that retries repeats it word for word.
 */
export class HostError extends Error {
  override readonly name = "HostError";
}

/** Runs something that writes to this machine's disk. @param folder what the message names @throws HostError for a system's error */
export function onHost<T>(folder: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw asHostError(folder, error);
  }
}

/** A system's error as a HostError, any other as it is. */
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
