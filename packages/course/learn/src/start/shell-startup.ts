import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { executablesOnPath, quote } from "@operator-path/tools";
import type { EnvironmentFiles } from "./environment-files.ts";
import { fishQuote } from "./terminal-environment.ts";

/** A shell, and its start, with which it reads the session's environment after the person's own files. */
export interface ShellStartup {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Why it is not the person's own shell. Absent if it is. */
  readonly note?: string;
}

export interface ShellStartupOptions {
  /** The person's environment, of which SHELL, HOME, ZDOTDIR and ENV are read. */
  readonly env: NodeJS.ProcessEnv;
  /** The files to source last. */
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

/**
 * Prepares an interactive shell: the person's own if its startup files are supported, otherwise bash or sh.
 */
export async function prepareShell(options: ShellStartupOptions): Promise<ShellStartup> {
  const { program, kind, note } = await chooseShell(options.env);
  await mkdir(options.directory, { recursive: true, mode: 0o700 });
  return { program, ...(await startup[kind](options)), ...(note !== undefined && { note }) };
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
      note: `The tutorial cannot set up ${basename(own)}: it supports bash, zsh, fish and sh. This shell is ${bash}.`,
    };
  return { program: own, kind };
}

type Prepared = Pick<ShellStartup, "args" | "env">;

const startup: Readonly<Record<Kind, (options: ShellStartupOptions) => Promise<Prepared>>> = {
  bash: prepareBash,
  zsh: prepareZsh,
  fish: prepareFish,
  posix: preparePosix,
};

/** Ends the shell before its first prompt if the environment cannot be set. */
function sourceOrExit(file: string): string {
  return `. ${quote(file)} || exit 1\n`;
}

async function prepareBash(options: ShellStartupOptions): Promise<Prepared> {
  const rc = join(options.directory, "bashrc");
  await writeFile(rc, `[ -f ~/.bashrc ] && . ~/.bashrc\n${sourceOrExit(options.files.environmentFile)}`);
  return { args: ["--rcfile", rc, "-i"], env: options.env };
}

/**
 * zsh reads its files in ZDOTDIR. Each of the session's files sources the person's file of that name, with
 * the person's ZDOTDIR.
 */
async function prepareZsh(options: ShellStartupOptions): Promise<Prepared> {
  const own = quote(options.directory);
  const persons = quote(options.env.ZDOTDIR || options.env.HOME || "");
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
${sourceOrExit(options.files.environmentFile)}`;
  await writeFile(join(options.directory, ".zshenv"), zshenv);
  await writeFile(join(options.directory, ".zshrc"), zshrc);
  return { args: ["-i"], env: { ...options.env, ZDOTDIR: options.directory } };
}

/** Sources a file of the person. An error in it does not end the session's own file. */
function contained(name: string): string {
  return `{ [ -f "$ZDOTDIR/${name}" ] && . "$ZDOTDIR/${name}" } always { TRY_BLOCK_ERROR=0 }`;
}

async function prepareFish(options: ShellStartupOptions): Promise<Prepared> {
  // fish runs this command after its configuration.
  return { args: ["-i", "-C", `source ${fishQuote(options.files.fishFile)}; or exit 1`], env: options.env };
}

/** A POSIX shell reads the file in ENV. */
async function preparePosix(options: ShellStartupOptions): Promise<Prepared> {
  const rc = join(options.directory, "shrc");
  // The shell expands variables in ENV.
  const persons = options.env.ENV && `"${options.env.ENV.replaceAll(/["\\`]/g, "\\$&")}"`;
  // `command`, so that an error in the person's file does not end this one.
  const theirs = persons ? `[ -f ${persons} ] && command . ${persons}\n` : "";
  await writeFile(rc, `${theirs}${sourceOrExit(options.files.environmentFile)}`);
  return { args: ["-i"], env: { ...options.env, ENV: rc } };
}
