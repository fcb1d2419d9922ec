import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { executablesOnPath, quote } from "@operator-path/tools";
import type { EnvironmentFiles } from "./environment-files.ts";
import { fishQuote } from "./terminal-environment.ts";

/** A shell, and how it is started so that it reads the session's environment after the person's own files. */
export interface ShellStartup {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Why it is not the person's own shell; absent, if it is. */
  readonly note?: string;
}

export interface ShellStartupOptions {
  /** The person's: SHELL, HOME, ZDOTDIR and ENV count. */
  readonly env: NodeJS.ProcessEnv;
  /** Sourced last. */
  readonly files: EnvironmentFiles;
  /** Folder for startup files, made if missing. */
  readonly directory: string;
}

type Kind = "bash" | "zsh" | "fish" | "posix";

const kinds: Readonly<Record<string, Kind>> = {
  bash: "bash",
  zsh: "zsh",
  fish: "fish",
  sh: "posix",
  ash: "posix",
  dash: "posix",
  ksh: "posix",
  mksh: "posix",
};

/** Prepares an interactive shell: the person's own, if its startup files are known here, else bash or sh. */
export async function prepareShell(o: ShellStartupOptions): Promise<ShellStartup> {
  const { program, kind, note } = await chooseShell(o.env);
  await mkdir(o.directory, { recursive: true, mode: 0o700 });
  return { program, ...(await startup[kind](o)), ...(note !== undefined && { note }) };
}

async function chooseShell(
  env: NodeJS.ProcessEnv,
): Promise<{ readonly program: string; readonly kind: Kind; readonly note?: string }> {
  const [bash = "/bin/sh"] = await executablesOnPath("bash", env);
  const fallback = { program: bash, kind: kinds[basename(bash)] ?? "posix" };
  const own = env.SHELL || bash;
  const kind = kinds[basename(own)];
  if (!existsSync(own))
    return { ...fallback, note: `Your shell ${own} does not exist. This one is ${bash}.` };
  if (kind === undefined)
    return {
      ...fallback,
      note: `The tutorial cannot set up ${basename(own)}: it knows bash, zsh, fish and sh. This shell is ${bash}.`,
    };
  return { program: own, kind };
}

type Prepared = Pick<ShellStartup, "args" | "env">;

const startup: Readonly<Record<Kind, (o: ShellStartupOptions) => Promise<Prepared>>> = {
  bash: prepareBash,
  zsh: prepareZsh,
  fish: prepareFish,
  posix: preparePosix,
};

/** Ends the shell before its first prompt when the environment does not hold. */
function sourceOrExit(file: string): string {
  return `. ${quote(file)} || exit 1\n`;
}

async function prepareBash(o: ShellStartupOptions): Promise<Prepared> {
  const rc = join(o.directory, "bashrc");
  await writeFile(rc, `[ -f ~/.bashrc ] && . ~/.bashrc\n${sourceOrExit(o.files.environmentFile)}`);
  return { args: ["--rcfile", rc, "-i"], env: o.env };
}

/** zsh reads all of its files in ZDOTDIR. Each of ours reads the person's file of that name, with the person's ZDOTDIR. */
async function prepareZsh(o: ShellStartupOptions): Promise<Prepared> {
  const own = quote(o.directory);
  const persons = quote(o.env.ZDOTDIR || o.env.HOME || "");
  const zshenv = `ZDOTDIR=${persons}
${contained(".zshenv")}
# The person's .zshenv may name another folder for the other files.
__operator_path_zdotdir=\${ZDOTDIR:-$HOME}
ZDOTDIR=${own}
`;
  const zshrc = `ZDOTDIR=$__operator_path_zdotdir
# The system's zshrc may have put the history beside our files, which go with the session.
case \${HISTFILE-} in ${own}/*) HISTFILE=$ZDOTDIR/.zsh_history ;; esac
${contained(".zshrc")}
${sourceOrExit(o.files.environmentFile)}`;
  await writeFile(join(o.directory, ".zshenv"), zshenv);
  await writeFile(join(o.directory, ".zshrc"), zshrc);
  return { args: ["-i"], env: { ...o.env, ZDOTDIR: o.directory } };
}

/** An error in the person's file does not end the reading of ours. */
function contained(name: string): string {
  return `{ [ -f "$ZDOTDIR/${name}" ] && . "$ZDOTDIR/${name}" } always { TRY_BLOCK_ERROR=0 }`;
}

async function prepareFish(o: ShellStartupOptions): Promise<Prepared> {
  // fish runs it after all of its configuration.
  return { args: ["-i", "-C", `source ${fishQuote(o.files.fishFile)}; or exit 1`], env: o.env };
}

/** A POSIX shell reads the file that ENV names. */
async function preparePosix(o: ShellStartupOptions): Promise<Prepared> {
  const rc = join(o.directory, "shrc");
  // The shell expands variables in ENV.
  const persons = o.env.ENV && `"${o.env.ENV.replaceAll(/["\\`]/g, "\\$&")}"`;
  // command: an error in the person's file does not end the reading of ours.
  const theirs = persons ? `[ -f ${persons} ] && command . ${persons}\n` : "";
  await writeFile(rc, `${theirs}${sourceOrExit(o.files.environmentFile)}`);
  return { args: ["-i"], env: { ...o.env, ENV: rc } };
}
