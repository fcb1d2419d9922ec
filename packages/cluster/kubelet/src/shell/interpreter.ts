import { Bash, type Command, defineCommand } from "just-bash";
import type { ContainerFileSystem, ProcessContext } from "../runtime/contracts.ts";
import type { ShellState } from "./shell-state.ts";
import { quote, source, type Word, wordSource } from "./syntax.ts";
import type { OutputKind } from "./tool.ts";
import { createTools } from "./tools.ts";

interface LeafResult {
  stdout: Uint8Array;
  stderr: string;
  /** Whether the command ended the shell: `exit`, or a failure under `set -e`. */
  exited: boolean;
}

/**
 * Runs single commands through just-bash. just-bash keeps no state between commands, so the state is passed
 * in and read back.
 */
export interface Interpreter {
  readonly files: ContainerFileSystem;
  /** Set before a command whose output goes to a terminal. */
  readonly output: OutputKind;
  /** @param options.guarded whether the command is a condition, so that `set -e` does not apply */
  run(
    text: string,
    state: ShellState,
    options?: { stdin?: Uint8Array; signal?: AbortSignal; guarded?: boolean },
  ): Promise<LeafResult>;
  /** Expands words: globs, variables, command substitution. */
  expand(words: readonly Word[], state: ShellState, signal?: AbortSignal): Promise<string[]>;
  has(tool: string): boolean;
}

/** Variables that bash maintains itself. Carrying them over would disturb it. */
const OWN_VARIABLES = new Set([
  "?",
  "IFS",
  "OSTYPE",
  "MACHTYPE",
  "HOSTTYPE",
  "OPTIND",
  "SHELLOPTS",
  "BASHOPTS",
  "PWD",
  "OLDPWD",
  "_",
  "__op",
]);

export async function createInterpreter(context: ProcessContext): Promise<Interpreter> {
  const { container, clock } = context;
  const { shell } = container.config.image;
  const files = await container.filesystem();
  const names = new Set<string>(shell?.tools ?? []);
  const output: OutputKind = { terminal: false };
  let report:
    | { cwd: string; variables: Record<string, string>; exported: string[]; status: number }
    | undefined;
  let words: string[] = [];

  const bash = new Bash({
    // With a /usr/bin, just-bash runs only files on the PATH. Its own commands and the ones below are not
    // files.
    fs: { ...files, exists: async (path) => path !== "/usr/bin" && files.exists(path) },
    env: {},
    cwd: "/",
    // This option patches the globals of this process, which the API server shares. It is not needed: a
    // script can reach only files in memory. There is no network, JavaScript, Python or SQL.
    defenseInDepth: false,
    commands: BUNDLED.filter((name) => names.has(name)) as never,
    sleep: (ms) => clock.sleep(ms, context.signal),
    processInfo: {
      pid: context.process.pid,
      ppid: context.process.ppid,
      uid: container.config.credentials.uid,
      gid: container.config.credentials.gid,
    },
    customCommands: [
      ...createTools(context, files, output).filter(({ name }) => names.has(name)),
      hidden("__op_state", (args, ctx) => {
        report = {
          cwd: ctx.cwd,
          variables: Object.fromEntries(ctx.env),
          exported: Object.keys(ctx.exportedEnv ?? {}),
          status: Number(args[0]),
        };
      }),
      hidden("__op_words", (args) => {
        words = args;
      }),
    ],
  });

  async function run(
    text: string,
    state: ShellState,
    options: { stdin?: Uint8Array; signal?: AbortSignal; guarded?: boolean } = {},
  ): Promise<LeafResult> {
    report = undefined;
    files.takeRefusals();
    const functions = [...state.functions.values()].map((definition) => source(definition)).join("\n");
    const exported = [...state.exported].filter(
      (name) => /^[A-Za-z_]\w*$/.test(name) && name in state.variables,
    );
    const script = [
      functions,
      exported.length ? `export ${exported.join(" ")}` : "",
      `set -- ${state.positional.map(quote).join(" ")}`,
      state.errexit && !options.guarded ? "set -e" : "",
      state.status === 0
        ? ""
        : state.errexit && !options.guarded
          ? `(exit ${state.status}) || true`
          : `(exit ${state.status})`,
      text,
      "__op_state $?",
    ]
      .filter(Boolean)
      .join("\n");
    let stdout = new Uint8Array();
    let stderr = "";
    let code: number;
    try {
      const result = await bash.exec(script, {
        cwd: state.cwd,
        env: state.variables,
        rawScript: true,
        ...(options.stdin
          ? { stdin: Buffer.from(options.stdin).toString("latin1"), stdinKind: "bytes" as const }
          : {}),
        ...(options.signal ? { signal: options.signal } : {}),
      });
      const binary = result.stdoutKind === "bytes" || result.stdoutEncoding === "binary";
      stdout = new Uint8Array(Buffer.from(result.stdout, binary ? "latin1" : "utf8"));
      stderr = result.stderr;
      code = result.exitCode;
    } catch (error) {
      // just-bash throws when the file system refuses a redirection.
      stderr = redirectionError(error);
      report = { cwd: state.cwd, variables: state.variables, exported, status: 1 };
      code = 1;
    }
    for (const [path, reason] of files.takeRefusals())
      stderr = correctReason(stderr, path, state.cwd, reason, files);
    // The hidden command sets it while the script runs, which the compiler cannot see.
    const reported = report as typeof report | undefined;
    const hasExited = reported === undefined && !options.signal?.aborted;
    if (reported) {
      state.variables = Object.fromEntries(
        Object.entries(reported.variables).filter(([name]) => !OWN_VARIABLES.has(name)),
      );
      state.exported = new Set(reported.exported.filter((name) => !OWN_VARIABLES.has(name)));
      if (reported.cwd !== state.cwd) state.variables = { ...state.variables, OLDPWD: state.cwd };
      state.cwd = reported.cwd;
      state.errexit = options.guarded
        ? state.errexit
        : /\berrexit\b/.test(reported.variables.SHELLOPTS ?? "");
    }
    state.status = reported?.status ?? code;
    return { stdout, stderr, exited: hasExited };
  }

  return {
    files,
    output,
    run,
    async expand(list, state, signal) {
      words = [];
      const status = state.status;
      const text = `__op_words ${list.map((word) => wordSource(word)).join(" ")}`;
      await run(text, state, { guarded: true, ...(signal ? { signal } : {}) });
      state.status = status;
      return words;
    },
    has: (tool) => names.has(tool),
  };
}

function hidden(
  name: string,
  act: (args: string[], ctx: Parameters<Command["execute"]>[1]) => void,
): Command {
  return defineCommand(name, async (args, ctx) => {
    act(args, ctx);
    return { stdout: "", stderr: "", exitCode: 0 };
  }) as Command;
}

/** Corrects the reason of an error. just-bash's tools always print "No such file or directory". */
function correctReason(
  stderr: string,
  path: string,
  cwd: string,
  reason: string,
  files: ContainerFileSystem,
): string {
  return stderr
    .split("\n")
    .map((line) => {
      const match = /^(.*?)([^\s:']+)(['"]?): No such file or directory$/.exec(line);
      if (!match?.[2] || files.resolvePath(cwd, match[2]) !== files.resolvePath("/", path)) return line;
      return `${match[1]}${match[2]}${match[3]}: ${reason}`;
    })
    .join("\n");
}

function redirectionError(error: unknown): string {
  const [, code, path] = /^(E[A-Z]+):.*'(.*)'/.exec(error instanceof Error ? error.message : "") ?? [];
  const reason = { EACCES: "Permission denied", EROFS: "Read-only file system", EISDIR: "Is a directory" }[
    code ?? ""
  ];
  return path
    ? `bash: ${path}: ${reason ?? "No such file or directory"}\n`
    : `bash: ${error instanceof Error ? error.message : String(error)}\n`;
}

/** The tools of just-bash that images may have. `tools.ts` adds the others. */
const BUNDLED = [
  "echo",
  "cat",
  "printf",
  "mkdir",
  "rmdir",
  "touch",
  "rm",
  "cp",
  "mv",
  "ln",
  "chmod",
  "pwd",
  "readlink",
  "head",
  "tail",
  "wc",
  "stat",
  "grep",
  "fgrep",
  "egrep",
  "sed",
  "awk",
  "sort",
  "uniq",
  "cut",
  "paste",
  "tr",
  "rev",
  "nl",
  "fold",
  "expand",
  "unexpand",
  "strings",
  "split",
  "join",
  "tee",
  "find",
  "basename",
  "dirname",
  "tree",
  "du",
  "xargs",
  "true",
  "false",
  "clear",
  "base64",
  "diff",
  "date",
  "sleep",
  "timeout",
  "seq",
  "expr",
  "md5sum",
  "sha1sum",
  "sha256sum",
  "which",
  "tac",
  "od",
  "gzip",
  "gunzip",
  "zcat",
  "tar",
  "bash",
  "sh",
] as const;
