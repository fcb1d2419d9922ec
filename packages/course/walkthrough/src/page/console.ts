import { forEachChild, parse, type SyntaxNode } from "unbash";
import type { ConsoleOptions, Entry, Expected } from "./page.ts";

/** A problem in a fence. `line` counts from 0 at the first line of its content. */
export class ConsoleSyntaxError extends Error {
  readonly line: number;
  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/**
 * Splits the content of a `console` fence into entries: typed lines, each with its expected output. Throws
 * ConsoleSyntaxError.
 *
 * @param firstLine the page's line of the first line of the content
 */
export function parseConsole(content: string, options: ConsoleOptions, firstLine: number): Entry[] {
  const lines = content.replace(/\n$/, "").split("\n");
  const entries: Entry[] = [];
  let head: Omit<Entry, "expected"> = { kind: "output", text: "", line: firstLine };
  let body: { text: string; at: number }[] = [];

  const finish = (): void => {
    const entry = { ...head, expected: parseExpected(body, firstLine) };
    if (head.kind !== "output" || body.some((line) => line.text.trim() !== "")) entries.push(entry);
    body = [];
  };

  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? "";
    if (line.startsWith("$ ") || line === "$") {
      finish();
      const first = i;
      const command = [line.slice(2)];
      while (continues(command.join("\n"))) {
        const next = lines[++i];
        if (next === undefined)
          throw new ConsoleSyntaxError(
            first,
            "the command goes on (a trailing \\, an open quote or heredoc) but the fence ends",
          );
        command.push(next);
      }
      head = { kind: "command", text: command.join("\n"), line: firstLine + first };
      if (head.text.trim() === "") throw new ConsoleSyntaxError(first, '"$ " without a command');
    } else if (
      options.prompt !== undefined &&
      (line.startsWith(options.prompt) || line === options.prompt.trimEnd())
    ) {
      finish();
      const typed = line.slice(options.prompt.length);
      head =
        typed.trim() === "^D"
          ? { kind: "end-of-input", text: "", line: firstLine + i }
          : { kind: "typed", text: typed, line: firstLine + i };
    } else if (line === "^C" || line === "^D") {
      finish();
      head = { kind: line === "^C" ? "interrupt" : "end-of-input", text: "", line: firstLine + i };
    } else {
      body.push({ text: line, at: i });
    }
  }
  finish();
  check(entries, options, firstLine);
  return entries;
}

function parseExpected(body: { text: string; at: number }[], firstLine: number): Expected {
  let exitStatus: number | undefined;
  let noOutput = false;
  const lines: { text: string; line: number }[] = [];
  for (const { text, at } of body) {
    const status = /^\? (\d{1,3})$/.exec(text);
    if (status) {
      if (exitStatus !== undefined) throw new ConsoleSyntaxError(at, "the exit status is given twice");
      exitStatus = Number(status[1]);
    } else if (text === "(no output)") {
      noOutput = true;
    } else {
      const misspelt = findMisspelt(text);
      if (misspelt) throw new ConsoleSyntaxError(at, misspelt);
      lines.push({ text: text.startsWith("\\$ ") ? text.slice(1) : text, line: firstLine + at });
    }
  }
  while (lines.length > 0 && lines.at(-1)?.text.trim() === "") lines.pop();
  if (noOutput && lines.length > 0) {
    throw new ConsoleSyntaxError(
      (lines[0]?.line ?? firstLine) - firstLine,
      '"(no output)" is beside expected output',
    );
  }
  return { lines, noOutput, ...(exitStatus !== undefined && { exitStatus }) };
}

/** Finds a misspelt wildcard. It would match nothing, or worse, only itself. */
function findMisspelt(text: string): string | undefined {
  const bare = text.replaceAll(/\\./g, "x");
  const bracket = /\[\.(?:\.\.+|(?=\]))\.*\]?|\[\.\.[^\]]*\.\.\.+\]|\[…\]|\[\.\.\.[^\]]*\]/.exec(bare);
  if (bracket)
    return `"${bracket[0]}" is not a wildcard: [..] is anything within a line, [..NAME..] binds it, ... alone is any lines`;
  const named = /\[\.\.(?!\])[^\]]*\]?/.exec(bare.replaceAll(/\[\.\.[A-Z][A-Z0-9_]*\.\.\]/g, ""));
  if (named)
    return `"${named[0]}" is not a wildcard: [..] is anything within a line, [..NAME..] (capitals) binds it`;
  if (/^(?:…|\.\.|\.{4,}|\[\.\.\.\])$/.test(bare.trim()))
    return `"${bare.trim()}" is not a wildcard: write ... for any number of lines`;
  return undefined;
}

/** Reports whether bash would ask for another line: after a trailing backslash, in a heredoc, in a quote. */
function continues(command: string): boolean {
  if (/(?:^|[^\\])(?:\\\\)*\\$/.test(command)) return true;
  let open = false;
  const visit = (node: SyntaxNode): void => {
    if (node.type === "HereDoc") open ||= node.closing === undefined;
    if ("errors" in node)
      open ||= node.errors?.some(({ message }) => message.startsWith("unterminated ")) ?? false;
    forEachChild(node, visit);
  };
  visit(parse(command));
  return open;
}

function check(entries: readonly Entry[], options: ConsoleOptions, firstLine: number): void {
  if (entries.length === 0)
    throw new ConsoleSyntaxError(0, 'an empty console fence: a command begins with "$ "');
  const first = entries[0];
  if (first?.kind === "output" && options.terminal === "" && !options.running && entries.length === 1) {
    throw new ConsoleSyntaxError(
      first.line - firstLine,
      'output without a command: begin a command with "$ ", or name the terminal that prints it (terminal=…)',
    );
  }
  const unfit =
    options.replay && entries.find(({ kind, expected }) => kind !== "command" || expected.exitStatus);
  if (unfit) {
    throw new ConsoleSyntaxError(
      unfit.line - firstLine,
      '"replay" is for commands that succeed: nothing is typed or interrupted',
    );
  }
  if (options.running && !entries.some((entry) => entry.kind === "command")) {
    throw new ConsoleSyntaxError(0, '"running" needs a command that is left running');
  }
}
