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

function absolute(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined;
}
