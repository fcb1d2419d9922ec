import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { execa, type Result } from "execa";

/** An author's empty folder outside the repository, and the commands that the author types there. */
export interface AuthorFolder extends AsyncDisposable {
  readonly folder: string;
  /** Runs a line in sh. Rejects with its whole output when it fails. */
  run(line: string): Promise<string>;
  /** Runs a line in sh, whatever its exit code. */
  attempt(line: string): Promise<Result & { readonly all: string }>;
}

/**
 * Makes an empty folder whose shell has Node and npm and nothing of this repository.
 *
 * @param env added to the shell's environment
 */
export async function openAuthorFolder(env: NodeJS.ProcessEnv = {}): Promise<AuthorFolder> {
  const parent = await realpath(await mkdtemp(join(tmpdir(), "author-")));
  const folder = join(parent, "shop");
  await mkdir(folder);
  const path = (process.env.PATH ?? "").split(delimiter).filter((entry) => !entry.includes("node_modules"));
  const inherited = Object.entries(process.env).filter(
    ([name]) =>
      !/^(?:npm_|pnpm_|NODE$|NODE_OPTIONS|NODE_COMPILE_CACHE|INIT_CWD|KUBECONFIG|VITEST|FORCE_COLOR)/i.test(
        name,
      ),
  );
  const shellEnv = {
    ...Object.fromEntries(inherited),
    PATH: [dirname(process.execPath), ...path].join(delimiter),
    NO_COLOR: "1",
    XDG_STATE_HOME: join(parent, "state"),
    // An install asks the registry only for what npm has not kept.
    ...{ npm_config_prefer_offline: "true", npm_config_audit: "false", npm_config_fund: "false" },
    ...env,
  };
  const attempt = async (line: string) => {
    const options = { cwd: folder, env: shellEnv, extendEnv: false, reject: false, all: true } as const;
    return execa("sh", ["-c", line], { ...options, stdin: "ignore" });
  };
  return {
    folder,
    attempt,
    async run(line) {
      const { exitCode, all, stdout } = await attempt(line);
      if (exitCode !== 0) throw new Error(`${line}: exit code ${exitCode}\n${all}`);
      return stdout;
    },
    [Symbol.asyncDispose]: () => rm(parent, { recursive: true, force: true }),
  };
}
