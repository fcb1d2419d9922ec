import { spawnSync } from "node:child_process";

/** The result: committed, only initialised (git has no identity), or no git. */
export type GitOutcome = "committed" | "initialised" | "none";

/** Makes a folder its own repository, and commits all of it if git has an identity. */
export function initialiseGit(
  folder: string,
  message: string,
  processEnv: Readonly<Record<string, string | undefined>> = process.env,
): GitOutcome {
  // Variables of an outer repository, for example in a hook, would lead git there.
  const outer = /^GIT_(DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|COMMON_DIR|NAMESPACE|PREFIX)$/;
  const env = Object.fromEntries(Object.entries(processEnv).filter(([name]) => !outer.test(name)));
  const git = (...args: string[]): boolean =>
    spawnSync("git", args, { cwd: folder, env, stdio: "ignore", timeout: 60_000 }).status === 0;
  if (!git("init", "--initial-branch=main") && !git("init")) return "none";
  const known = git("var", "GIT_AUTHOR_IDENT") && git("var", "GIT_COMMITTER_IDENT");
  const committed =
    known && git("add", "--all") && git("commit", "--no-verify", "--no-gpg-sign", "-m", message);
  return committed ? "committed" : "initialised";
}
