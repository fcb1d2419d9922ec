import { access, constants, mkdir } from "node:fs/promises";
import { homedir, userInfo } from "node:os";
import { isAbsolute, join } from "node:path";

/** Where this user's files of operator-path live. */
export interface UserDirectories {
  /** Can be deleted at any time, at the price of time. */
  readonly cache: string;
  /** What is running now: kubeconfigs, logs, process ids. */
  readonly state: string;
}

/**
 * The user's own directories: XDG_CACHE_HOME and XDG_STATE_HOME where they are set (everywhere, not only on
 * Linux), otherwise the platform's custom. They are not created. An empty or missing HOME falls back to the
 * account's home directory. Source: the XDG Base Directory specification, which asks to ignore relative paths.
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

/** A directory of this user's that cannot be written to. The message names the variable that leads elsewhere. */
export class UserDirectoryError extends Error {
  override readonly name = "UserDirectoryError";
}

/**
 * Makes a directory below one of the user's own, and checks that it can be written to.
 *
 * @param of which of them it is in
 * @throws UserDirectoryError when it cannot be made or written to, as in a read-only home
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
      `${path} cannot be written to (${code}): set XDG_${of.toUpperCase()}_HOME to a folder that can be`,
      { cause: error },
    );
  }
}

function absolute(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined;
}
