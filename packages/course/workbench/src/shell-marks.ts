import { quote } from "@operator-path/tools";

/**
 * What a shell says about itself, in escape sequences that a terminal does not show:
 *
 * - `run`: a command has been read, and its output begins. With its text, unless the shell keeps no history
 * - `end`: the shell is about to show its prompt. With the exit status of the last command, and its folder
 * - `ready`: the shell reads a line, so a command can be typed
 */
export type ShellMark =
  | { readonly kind: "run"; readonly command: string | undefined }
  | { readonly kind: "end"; readonly status: number; readonly folder: string }
  | { readonly kind: "ready" };

/** A piece of a terminal's output: text, or a mark. */
export type Piece = { readonly kind: "text"; readonly text: string } | ShellMark;

/**
 * Returns lines for a bashrc, which make bash 4.4 or newer print the marks. They come last in the file.
 *
 * @param nonce hexadecimal digits, so that no other output looks like a mark by accident
 * @param variablesFile for the shell's variables, as declarations. Written before each prompt
 */
export function bashMarks(nonce: string, variablesFile: string): string {
  return `
__workbench_end() {
  local status=$?
  (umask 077; declare -p >${quote(variablesFile)}) 2>/dev/null
  printf '\\033]7777;${nonce};end;%s;%s\\007' "$status" "$PWD"
  return "$status"
}
case $(declare -p PROMPT_COMMAND 2>/dev/null) in
  "declare -a"*) PROMPT_COMMAND=(__workbench_end "\${PROMPT_COMMAND[@]}") ;;
  *) PROMPT_COMMAND="__workbench_end
\${PROMPT_COMMAND-}" ;;
esac
# The text of a command comes from the history, which then has every command, and keeps its lines.
HISTCONTROL=
HISTIGNORE=
HISTTIMEFORMAT=
shopt -s cmdhist lithist
__workbench_run() {
  local text
  text=$(builtin history 1)
  printf '\\033]7777;${nonce};run;%s\\007' "\${text//[$'\\033\\007']/}"
}
PS0='$(__workbench_run)'"\${PS0-}"
bind 'set enable-bracketed-paste on'
# Pasted text would be shown inverted. bash before 5.1 does not know this.
bind 'set enable-active-region off' 2>/dev/null
`;
}

/** Sends a command to a shell at its prompt: as one paste, so that a command of several lines runs as one. */
export function typedCommand(command: string): string {
  const [toEndOfLine, eraseLine, enter] = ["\u0005", "\u0015", "\r"];
  return `${toEndOfLine}${eraseLine}\u001b[200~${command.replaceAll("\u001b", "")}\u001b[201~${enter}`;
}

/** readline turns bracketed paste on when it begins to read a line. */
export const readySequence = "\u001b[?2004h";

/** Returns a function that splits output into text and marks. It holds back an incomplete mark at the end. */
export function createMarkSplitter(nonce: string): (chunk: string) => Piece[] {
  const pattern = new RegExp(
    `\u001b\\]7777;${nonce};(?:run;([^\u0007]*)|end;(\\d+);([^\u0007]*))\u0007|(${readySequence.replaceAll(/[[?]/g, "\\$&")})`,
    "g",
  );
  let pending = "";
  return (chunk) => {
    const text = pending + chunk;
    const pieces: Piece[] = [];
    let at = 0;
    for (const match of text.matchAll(pattern)) {
      if (match.index > at) pieces.push({ kind: "text", text: text.slice(at, match.index) });
      at = match.index + match[0].length;
      const [, run, status, folder = "", ready] = match;
      if (run !== undefined) pieces.push({ kind: "run", command: fromHistory(run) });
      else if (ready) pieces.push({ kind: "ready" });
      else pieces.push({ kind: "end", status: Number(status), folder });
    }
    const hold = incomplete(text.slice(at));
    const end = text.length - hold;
    if (end > at) pieces.push({ kind: "text", text: text.slice(at, end) });
    pending = text.slice(end);
    return pieces;
  };
}

/** Returns the command of a line of `history`: ` 12  ls`. */
function fromHistory(line: string): string | undefined {
  return /^\s*\d+\*?\s+(\S[\s\S]*)$/.exec(line.replaceAll("\r\n", "\n"))?.[1];
}

/** Returns the length of the escape sequence that begins at the end of a text, and may become a mark. */
function incomplete(text: string): number {
  const start = text.lastIndexOf("\u001b");
  if (start === -1) return 0;
  const tail = text.slice(start);
  const isMark = "\u001b]7777;".startsWith(tail.slice(0, 7)) && !tail.includes("\u0007");
  return isMark || readySequence.startsWith(tail) ? tail.length : 0;
}
