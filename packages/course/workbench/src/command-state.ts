import { screenLines } from "@operator-path/walkthrough";
import { type Piece, typedCommand } from "./shell-marks.ts";

/** A command that a shell has read. */
export interface ShellCommand {
  /** Undefined if the shell does not say what the learner typed. */
  readonly text: string | undefined;
  /** What it has printed so far. */
  lines(): string[];
  /** Its exit status. Undefined while it runs. */
  status(): number | undefined;
  /** Reports whether the learner has pressed Ctrl+C in it. */
  interrupted(): boolean;
}

const interrupt = "\u0003";
/** Enter, Ctrl+C or Ctrl+D. */
const lineEnds = ["\r", "\n", interrupt, "\u0004"];

/** More output of one command is not compared. */
const mostOutput = 2_000_000;

export interface CommandStateOptions {
  /** Where the shell opens. */
  readonly folder: string;
  write(text: string): void;
  /** Called when the shell has read a command that the learner typed. */
  onTyped(command: ShellCommand): void;
}

/** Follows the marks of a shell: which command runs, and what it has printed. */
export function createCommandState(options: CommandStateOptions) {
  let last = newCommand(undefined);
  last.end(0);
  // Between `run` and `end`: the shell's echo of the command is not its output.
  let collects = false;
  let isRunning = false;
  let folder = options.folder;
  let ready = false;
  let waits: string | undefined;
  let exited = false;
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
      options.write(interrupt);
      return;
    }
    options.write(typedCommand(waits));
    waits = undefined;
  };
  return {
    /** Returns whether a command printed this piece. */
    take(piece: Piece): boolean {
      switch (piece.kind) {
        case "text":
          if (collects) last.print(piece.text);
          return collects && piece.text !== "";
        case "run": {
          const isTyped = !isRunning;
          last = newCommand(isTyped ? piece.command : last.text);
          isRunning = true;
          ready = false;
          collects = true;
          if (isTyped) options.onTyped(last);
          return false;
        }
        case "end":
          folder = piece.folder;
          collects = false;
          clearing = false;
          if (lineEnds.includes(lastTyped.slice(-1))) lastTyped = "";
          if (waits !== undefined) return false;
          // Enter alone shows a new prompt, and ends nothing.
          if (isRunning) last.end(piece.status);
          isRunning = false;
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
      if (last.status() === undefined) last.end(exitCode);
      isRunning = false;
    },
    /** Types a command of the page as soon as the shell reads one. */
    start(text: string): void {
      if (exited) throw new Error("the terminal's shell has ended");
      if (isRunning) throw new Error(`the terminal still runs "${last.text ?? learnersCommand}"`);
      last = newCommand(text);
      isRunning = true;
      waits = text;
      typeWhenReady();
    },
    typed(text: string): void {
      lastTyped = text;
      if (text.includes(interrupt)) last.interrupt();
    },
    last: (): ShellCommand => last,
    running: () => (isRunning ? (last.text ?? learnersCommand) : undefined),
    folder: () => folder,
    exited: () => exited,
  };
}

/** `running()` of a command that the learner typed, whose text is unknown. */
export const learnersCommand = "the command that you typed";

function newCommand(text: string | undefined) {
  let raw = "";
  let status: number | undefined;
  let isInterrupted = false;
  return {
    text,
    lines(): string[] {
      const lines = screenLines(raw);
      // The tty's echo of Ctrl+C stands before the next line of output, and is no part of it.
      return isInterrupted ? lines.map((line) => line.replace(/^\^C(?=.)/, "")) : lines;
    },
    status: () => status,
    interrupted: () => isInterrupted,
    print(more: string): void {
      if (raw.length < mostOutput) raw += more;
    },
    end(exitStatus: number): void {
      status = exitStatus;
    },
    interrupt(): void {
      if (status === undefined) isInterrupted = true;
    },
  };
}
