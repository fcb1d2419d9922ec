import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type IPty, spawn } from "@lydell/node-pty";
import { quote } from "@operator-path/tools";
import { runProgram, type Terminal } from "@operator-path/walkthrough";
import { createCommandState, type ShellCommand } from "./command-state.ts";
import { createScrollback } from "./scrollback.ts";
import { bashMarks, createMarkSplitter, readySequence } from "./shell-marks.ts";

/** The shell of a learner's terminals. */
export interface LearnerShell {
  /** Absolute path of a bash, 4.4 or newer. */
  readonly bash: string;
  /** The startup file of the session, which sets its environment. */
  readonly rcFile: string;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where a new terminal opens. Called each time, because a page may make the folder. */
  folder(): string;
}

export interface LearnerTerminalOptions {
  /** The terminal's name on the page. */
  readonly name: string;
  readonly shell: LearnerShell;
  /** Folder for the terminal's own startup file. */
  readonly directory: string;
  /**
   * Receives output as it comes.
   *
   * @param isPrinted whether a command printed some of it. Otherwise it is the shell's prompt and echo
   */
  onData(data: string, isPrinted: boolean): void;
  /** Called when the shell has read a command that the learner typed. */
  onTyped(command: ShellCommand): void;
  /** Called when the shell has ended. */
  onExit(): void;
}

/**
 * A terminal in which the learner types, and in which the page's commands are typed for them. As a `Terminal`
 * of walkthrough, `lines` is the output of the last command, typed by the page or by the learner.
 */
export interface LearnerTerminal extends Terminal {
  /** The last output, with its escape sequences. */
  scrollback(): string;
  /** The last command, typed by the page or by the learner. */
  last(): ShellCommand;
  resize(columns: number, rows: number): void;
  /** Runs a command out of sight, with the shell's variables and in its folder. Undefined: it did not end in time. */
  runUnseen(
    command: string,
    options: { readonly timeout: number; readonly signal: AbortSignal },
  ): Promise<{ readonly status: number; readonly output: string } | undefined>;
}

/** A reload shows so much again. */
const scrollbackCharacters = 400_000;

/** Opens a terminal. Does not wait for its prompt: a command is typed when the shell is ready. */
export function openLearnerTerminal(options: LearnerTerminalOptions): LearnerTerminal {
  const { name, shell, directory } = options;
  const nonce = randomBytes(8).toString("hex");
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const rcFile = join(directory, `${name}-${nonce}.bashrc`);
  const variablesFile = join(directory, `${name}-${nonce}.variables`);
  const rcLines = `. ${quote(shell.rcFile)} || exit 1\n${bashMarks(nonce, variablesFile)}`;
  writeFileSync(rcFile, rcLines, { mode: 0o600 });
  const pty = spawn(shell.bash, ["--rcfile", rcFile, "-i"], {
    cwd: shell.folder(),
    env: { ...shell.env, TERM: "xterm-256color", COLORTERM: "truecolor" },
    cols: 100,
    rows: 24,
    name: "xterm-256color",
  });
  const split = createMarkSplitter(nonce);
  const scrollback = createScrollback(scrollbackCharacters);
  const waiting = new Set<() => void>();
  const state = createCommandState({
    folder: shell.folder(),
    write: (text) => pty.write(text),
    onTyped: options.onTyped,
  });

  pty.onData((chunk) => {
    let shown = "";
    let isPrinted = false;
    for (const piece of split(chunk)) {
      if (piece.kind === "text") shown += piece.text;
      if (piece.kind === "ready") shown += readySequence;
      isPrinted = state.take(piece) || isPrinted;
    }
    scrollback.add(shown);
    if (shown !== "") options.onData(shown, isPrinted);
    wake();
  });
  const ended = new Promise<void>((resolve) => {
    pty.onExit(({ exitCode }) => {
      state.exit(exitCode);
      wake();
      options.onExit();
      resolve();
    });
  });

  function wake(): void {
    for (const one of [...waiting]) one();
  }

  return {
    name: name === "main" ? "" : name,
    pid: pty.pid,
    start: (command) => state.start(command),
    type(text) {
      state.typed(text);
      pty.write(text);
    },
    lines: () => state.last().lines(),
    status: () => state.last().status(),
    last: () => state.last(),
    running: () => state.running(),
    cwd: () => state.folder(),
    scrollback: () => scrollback.text(),
    resize(columns, rows) {
      if (!state.exited()) pty.resize(columns, rows);
    },
    async runUnseen(command, more) {
      const script = `. ${quote(variablesFile)} 2>/dev/null\n${command}`;
      const options = { cwd: state.folder(), env: shell.env, ...more };
      const { status, output } = await runProgram(
        shell.bash,
        ["--noprofile", "--norc", "-c", script],
        options,
      );
      return status === undefined ? undefined : { status, output };
    },
    changed: (ms, signal) =>
      new Promise((resolve) => {
        const done = (): void => {
          clearTimeout(timer);
          waiting.delete(done);
          signal?.removeEventListener("abort", done);
          resolve();
        };
        const timer = setTimeout(done, ms);
        waiting.add(done);
        signal?.addEventListener("abort", done, { once: true });
        if (signal?.aborted) done();
      }),
    async close() {
      if (state.exited()) return;
      // Closing the master hangs up on the session, as closing a terminal window does.
      (pty as IPty & { destroy(): void }).destroy();
      const timer = setTimeout(() => pty.kill("SIGKILL"), 1000);
      await ended;
      clearTimeout(timer);
    },
  };
}
