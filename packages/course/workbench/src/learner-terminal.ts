import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type IPty, spawn } from "@lydell/node-pty";
import { quote } from "@operator-path/tools";
import { runProgram, screenLines, type Terminal } from "@operator-path/walkthrough";
import { createScrollback } from "./scrollback.ts";
import { bashMarks, createMarkSplitter, typedCommand } from "./shell-marks.ts";

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
  /** Called when the shell has ended. */
  onExit(): void;
}

/**
 * A terminal in which the learner types, and in which the page's commands are typed for them. As a `Terminal`
 * of walkthrough, `lines` is the output of the last
 * command, typed by the page or by the learner.
 */
export interface LearnerTerminal extends Terminal {
  /** The last output, with its escape sequences. */
  scrollback(): string;
  resize(columns: number, rows: number): void;
  /** Runs a command out of sight, with the shell's variables and in its folder. Undefined: it did not end in time. */
  runUnseen(
    command: string,
    options: { readonly timeout: number; readonly signal: AbortSignal },
  ): Promise<{ readonly status: number; readonly output: string } | undefined>;
}

/** `running()` of a command that the learner typed, whose text is unknown. */
export const learnersCommand = "the command that you typed";

const interrupt = "\u0003";
/** Enter, Ctrl+C or Ctrl+D. */
const lineEnds = ["\r", "\n", interrupt, "\u0004"];

/** A reload shows so much again. */
const scrollbackCharacters = 400_000;
/** More output of one command is not compared. */
const mostOutput = 2_000_000;

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
  const state = createCommandState(shell.folder(), (text) => pty.write(text));

  pty.onData((chunk) => {
    scrollback.add(chunk);
    let isPrinted = false;
    for (const piece of split(chunk)) isPrinted = state.take(piece) || isPrinted;
    options.onData(chunk, isPrinted);
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
    lines: () => state.lines(),
    status: () => state.status(),
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

/** Follows the marks of a shell: which command runs, and what it has printed. */
function createCommandState(opensIn: string, write: (text: string) => void) {
  let raw = "";
  // Between `run` and `end`: the shell's echo of the command is not its output.
  let collects = false;
  let status: number | undefined = 0;
  let command: string | undefined;
  let folder = opensIn;
  let ready = false;
  let waits: string | undefined;
  let exited = false;
  // The tty's echo of Ctrl+C stands before the next line of output, and is no part of it.
  let interrupted = false;
  // What the learner typed last may still stand on the shell's line, or be in a question of readline.
  let lastTyped = "";
  // bash turns bracketed paste on and off once more before it ends the line.
  let clearing = false;
  const typeWhenReady = (): void => {
    if (!ready || clearing || waits === undefined) return;
    ready = false;
    if (lastTyped !== "") {
      // Ends the line, its continuation, a search in the history, and the question before long completions. The
      // terminal drops what it has not yet read, so the command comes after the next prompt.
      lastTyped = "";
      clearing = true;
      write(interrupt);
      return;
    }
    write(typedCommand(waits));
    waits = undefined;
  };
  return {
    /** Returns whether a command printed this piece. */
    take(piece: ReturnType<ReturnType<typeof createMarkSplitter>>[number]): boolean {
      switch (piece.kind) {
        case "text":
          if (collects && raw.length < mostOutput) raw += piece.text;
          return collects && piece.text !== "";
        case "run":
          // A command that the learner typed has no text here.
          command ??= learnersCommand;
          status = undefined;
          ready = false;
          collects = true;
          interrupted = false;
          raw = "";
          return false;
        case "end":
          folder = piece.folder;
          collects = false;
          clearing = false;
          if (lineEnds.includes(lastTyped.slice(-1))) lastTyped = "";
          if (waits !== undefined) return false;
          // Enter alone shows a new prompt, and ends nothing.
          if (command !== undefined) status = piece.status;
          command = undefined;
          return false;
        case "ready":
          // A program in the foreground may read lines like the shell does.
          ready = !collects;
          typeWhenReady();
          return false;
      }
    },
    exit(exitCode: number): void {
      exited = true;
      status ??= exitCode;
      command = undefined;
    },
    start(text: string): void {
      if (exited) throw new Error("the terminal's shell has ended");
      if (command !== undefined) throw new Error(`the terminal still runs "${command}"`);
      command = text;
      status = undefined;
      raw = "";
      waits = text;
      typeWhenReady();
    },
    typed(text: string): void {
      lastTyped = text;
      interrupted ||= text.includes(interrupt);
    },
    lines(): string[] {
      const lines = screenLines(raw);
      return interrupted ? lines.map((line) => line.replace(/^\^C(?=.)/, "")) : lines;
    },
    status: () => status,
    running: () => command,
    folder: () => folder,
    exited: () => exited,
  };
}
