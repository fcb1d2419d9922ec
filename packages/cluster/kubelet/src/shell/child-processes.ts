import type { ProcessContext, Program } from "../runtime/contracts.ts";
import { StartError } from "../runtime/errors.ts";
import { findProgram } from "../runtime/find-program.ts";
import { spawnProcess } from "../runtime/spawn.ts";
import type { Interpreter } from "./interpreter.ts";
import { exportedOf, type ShellState } from "./shell-state.ts";
import { literal, type SimpleCommand } from "./syntax.ts";

/**
 * The commands that a shell starts as separate processes, visible in `ps`: servers of the image, shells,
 * sleep.
 */
export interface ChildProcesses {
  /** Whether a command needs a separate process, and is not a tool of the interpreter. */
  runs(name: string, command: SimpleCommand): Promise<boolean>;
  /**
   * Starts the process and waits for its end. Its exit code becomes the shell's status. Kills it when the
   * signal aborts.
   */
  run(argv: string[], signal: AbortSignal | undefined): Promise<void>;
  /** Replaces the shell by the program, as `exec` does: same process, same signals. */
  replaceShell(argv: string[], signal: AbortSignal | undefined): Promise<void>;
}

export const SHELLS: ReadonlySet<string> = new Set(["sh", "ash", "bash"]);

export const CANNOT_FORK = "bash: can't fork: Resource temporarily unavailable\n";

const STREAMED = new Set(["sleep"]);

export const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

export function createChildProcesses(options: {
  context: ProcessContext;
  interpreter: Interpreter;
  state: ShellState;
  /** Prints an error message in bash's wording. */
  printError(text: string): unknown;
}): ChildProcesses {
  const { context, interpreter, state, printError } = options;

  /** Finds the program and runs `act` with it. Prints an error if it does not exist. */
  async function start(
    argv: string[],
    signal: AbortSignal | undefined,
    act: (program: Program) => Promise<number>,
  ): Promise<void> {
    // The shell was interrupted while the words were expanded.
    if (signal?.aborted) return;
    try {
      state.status = await act(await findProgram(context.container, argv[0] ?? ""));
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      printError(`bash: ${argv[0]}: command not found\n`);
      state.status = 127;
    }
  }

  return {
    async runs(name, command) {
      const base = baseName(name);
      const isShell = SHELLS.has(base);
      if (STREAMED.has(base) || isShell) return interpreter.has(base) || isShell;
      if (base === "cat" && command.args.length === 0 && context.stdin) return interpreter.has("cat");
      if (base === "tail" && command.args.some((word) => /^-\w*f|^-F/.test(literal(word) ?? ""))) return true;
      if (interpreter.has(base) || BUILTINS.has(base)) return false;
      return findProgram(context.container, name).then(
        () => true,
        () => false,
      );
    },
    run: (argv, signal) =>
      start(argv, signal, async (program) => {
        if (context.container.config.processes.full) {
          printError(CANNOT_FORK);
          return 2;
        }
        const child = spawnProcess({
          container: context.container,
          program,
          argv,
          tty: false,
          // At a terminal, the shell itself reads the keys.
          stdin: context.tty ? undefined : context.stdin,
          ppid: context.process.pid,
          cwd: state.cwd,
          env: exportedOf(state),
          onOutput: (stream, chunk) => (stream === "stdout" ? context.stdout(chunk) : context.stderr(chunk)),
        });
        const kill = () => child.process.signal("SIGKILL");
        signal?.addEventListener("abort", kill, { once: true });
        const status = await child.exited;
        signal?.removeEventListener("abort", kill);
        return status;
      }),
    replaceShell: (argv, signal) =>
      start(argv, signal, (program) => {
        context.process.argv = argv;
        return program({ ...context, argv, env: exportedOf(state), cwd: state.cwd });
      }),
  };
}

const BUILTINS = new Set([
  "cd",
  "export",
  "unset",
  "set",
  "shift",
  "local",
  "eval",
  "source",
  ".",
  ":",
  "alias",
  "type",
  "command",
  "[",
  "test",
  "echo",
  "true",
  "false",
  "pwd",
  "printf",
  "umask",
  "let",
  "declare",
  "readonly",
  "getopts",
  "history",
]);
