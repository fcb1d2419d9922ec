import { spawnSync } from "node:child_process";

/** How far it came: committed, only initialised (nobody has said who commits), or no git here. */
export type GitOutcome = "committed" | "initialised" | "none";

/** Makes a folder a repository of its own, with all of it in a first commit, as far as git lets us. */
export function initialiseGit(
  folder: string,
  message: string,
  surroundings: Readonly<Record<string, string | undefined>> = process.env,
): GitOutcome {
  // Variables of an outer repository (in a hook, say) would lead there.
  const outer = /^GIT_(DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|COMMON_DIR|NAMESPACE|PREFIX)$/;
  const env = Object.fromEntries(Object.entries(surroundings).filter(([name]) => !outer.test(name)));
  const git = (...args: string[]): boolean =>
    spawnSync("git", args, { cwd: folder, env, stdio: "ignore", timeout: 60_000 }).status === 0;
  if (!git("init", "--initial-branch=main") && !git("init")) return "none";
  const known = git("var", "GIT_AUTHOR_IDENT") && git("var", "GIT_COMMITTER_IDENT");
  const committed =
    known && git("add", "--all") && git("commit", "--no-verify", "--no-gpg-sign", "-m", message);
  return committed ? "committed" : "initialised";
}
