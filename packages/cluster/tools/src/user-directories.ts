import { access, constants, mkdir } from "node:fs/promises";
import { homedir, userInfo } from "node:os";
import { isAbsolute, join } from "node:path";

/** The directories of this user for operator-path. */
export interface UserDirectories {
  /** Files that can be deleted at any time. Recreating them takes time. */
  readonly cache: string;
  /** Files of running clusters: kubeconfigs, logs, process ids. */
  readonly state: string;
}

/**
 * Returns the user's directories: XDG_CACHE_HOME and XDG_STATE_HOME if they are set (on every platform), or
 * else the platform's convention. Does not create them. If HOME is empty or missing, the account's home
 * directory is used. Ignores relative paths, as the XDG Base Directory specification requires.
 */
export function userDirectories(env: NodeJS.ProcessEnv = process.env): UserDirectories {
  const home = absolute(env.HOME) ?? absolute(homedir()) ?? userInfo().homedir;
  const [cache, state] =
    process.platform === "darwin"
      ? [join(home, "Library", "Caches"), join(home, "Library", "Application Support")]
      : [join(home, ".cache"), join(home, ".local", "state")];
  return {
    cache: join(absolute(env.XDG_CACHE_HOME) ?? cache, "operator-path"),
    state: join(absolute(env.XDG_STATE_HOME) ?? state, "operator-path"),
  };
}

/**
 * Thrown when a directory of this user is not writable. The message names the variable that selects another
 * one.
 */
export class UserDirectoryError extends Error {
  override readonly name = "UserDirectoryError";
}

/**
 * Creates a directory inside one of the user's directories, and checks that it is writable.
 *
 * @param of the directory that it is in
 * @throws UserDirectoryError when it cannot be created or is not writable, as in a read-only home
 */
export async function makeUserDirectory(
  path: string,
  of: keyof UserDirectories,
  mode?: number,
): Promise<void> {
  try {
    await mkdir(path, { recursive: true, ...(mode !== undefined && { mode }) });
    await access(path, constants.W_OK);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    throw new UserDirectoryError(
      `${path} is not writable (${code}): set XDG_${of.toUpperCase()}_HOME to a writable folder`,
      { cause: error },
    );
  }
}

function absolute(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined;
}
