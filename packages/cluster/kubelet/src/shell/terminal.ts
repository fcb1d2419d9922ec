import type { BytePipe } from "../runtime/byte-pipe.ts";

/** A terminal with a small line editor, for an interactive shell. */
export interface Terminal {
  /**
   * Reads a line. Supports echo, backspace, ^U, ^W, ^A, ^E, ^L, cursor keys and history.
   * @returns undefined at the end of input (^D on an empty line). null after ^C, which also calls the watcher
   */
  readLine(prompt: string, history?: readonly string[]): Promise<string | null | undefined>;
  /**
   * Calls back at ^C while a command runs, and keeps other input for the next line. With undefined, ^C is an
   * ordinary key.
   * @returns restores the previous watcher
   */
  watchInterrupt(onInterrupt: (() => void) | undefined): () => void;
}

const ESCAPE = "\u001b";

export function createTerminal(stdin: BytePipe, write: (text: string) => void): Terminal {
  const decoder = new TextDecoder();
  let typed = "";
  let ended = false;
  let interrupt: (() => void) | undefined;
  let wake = () => {};
  // The only reader of the input. Keys go to the current line, or wait for the next one.
  void (async () => {
    for await (const chunk of stdin) {
      const text = decoder.decode(chunk, { stream: true });
      typed += text;
      takeInterrupt();
      wake();
    }
    ended = true;
    wake();
  })();

  /** Handles ^C while a command runs. Discards what was typed before it, as a terminal does. */
  function takeInterrupt(): void {
    const stop = interrupt ? typed.lastIndexOf("\u0003") : -1;
    if (stop < 0) return;
    typed = typed.slice(stop + 1);
    write("^C");
    interrupt?.();
  }

  /** Returns the next key: a character, or a whole escape sequence. */
  async function key(): Promise<string | undefined> {
    while (!complete(typed)) {
      if (ended) return typed ? takeKey() : undefined;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    return takeKey();
  }
  function takeKey(): string {
    const length = sequence(typed)?.length ?? ([...typed][0] ?? "").length;
    const taken = typed.slice(0, length);
    typed = typed.slice(length);
    return taken;
  }

  function watch(onInterrupt: (() => void) | undefined): () => void {
    const before = interrupt;
    interrupt = onInterrupt;
    // ^C may have arrived between the line and its command.
    takeInterrupt();
    return () => {
      interrupt = before;
      takeInterrupt();
    };
  }

  return {
    async readLine(prompt, history = []) {
      // While it reads a line, the editor handles all keys, so that ^C ends this line.
      const watching = interrupt;
      const unwatch = watch(undefined);
      try {
        const line = await edit(prompt, history);
        if (line === null && !watching) write("\n");
        if (line === null) watching?.();
        return line;
      } finally {
        unwatch();
      }
    },
    watchInterrupt: watch,
  };

  async function edit(prompt: string, history: readonly string[]): Promise<string | null | undefined> {
    let line = "";
    let cursor = 0;
    let at = history.length;
    const redraw = (next: string, position = next.length) => {
      line = next;
      cursor = position;
      const back = line.length - cursor;
      write(`\r${prompt}${line}${ESCAPE}[K${back > 0 ? `${ESCAPE}[${back}D` : ""}`);
    };
    write(prompt);
    for (;;) {
      const pressed = await key();
      if (pressed === undefined) return undefined;
      switch (pressed) {
        case "\r":
        case "\n":
          write("\n");
          return line;
        case "\u0003":
          write("^C");
          return null;
        case "\u0004":
          if (line === "") return undefined;
          break;
        case "\u007f":
        case "\b":
          if (cursor > 0) redraw(line.slice(0, cursor - 1) + line.slice(cursor), cursor - 1);
          break;
        case "\u0015":
          redraw(line.slice(cursor), 0);
          break;
        case "\u000b":
          redraw(line.slice(0, cursor));
          break;
        case "\u0017": {
          const kept = line.slice(0, cursor).replace(/\S+\s*$/, "");
          redraw(kept + line.slice(cursor), kept.length);
          break;
        }
        case "\u000c":
          write(`${ESCAPE}[H${ESCAPE}[J`);
          redraw(line, cursor);
          break;
        case "\u0001":
        case `${ESCAPE}[H`:
          redraw(line, 0);
          break;
        case "\u0005":
        case `${ESCAPE}[F`:
          redraw(line);
          break;
        case `${ESCAPE}[A`:
        case `${ESCAPE}[B`: {
          at = Math.min(history.length, Math.max(0, at + (pressed.endsWith("A") ? -1 : 1)));
          redraw(history[at] ?? "");
          break;
        }
        case `${ESCAPE}[C`:
          if (cursor < line.length) redraw(line, cursor + 1);
          break;
        case `${ESCAPE}[D`:
          if (cursor > 0) redraw(line, cursor - 1);
          break;
        default:
          // Tab, other control keys and unknown sequences do nothing.
          if (pressed < " " || pressed.startsWith(ESCAPE)) break;
          if (cursor === line.length) {
            line += pressed;
            cursor = line.length;
            write(pressed);
          } else redraw(line.slice(0, cursor) + pressed + line.slice(cursor), cursor + pressed.length);
      }
    }
  }
}

function sequence(text: string): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
  return /^\u001b(?:\[[0-9;]*[A-Za-z~]|O[A-Z])/.exec(text)?.[0];
}

function complete(text: string): boolean {
  if (text === "") return false;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: see above
  return !/^\u001b(?:\[[0-9;]*|O)?$/.test(text);
}
