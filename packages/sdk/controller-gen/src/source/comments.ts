import type { Comment } from "oxc-parser";

/** A line of a comment that begins with "+": `+kubebuilder:validation:Minimum=0`. */
export interface RawMarker {
  /** With the plus sign, without space around it. */
  readonly text: string;
  /** Of the plus sign. */
  readonly offset: number;
}

/** Comments without an empty line between them (Go: ast.CommentGroup). */
export interface CommentGroup {
  readonly comments: readonly Comment[];
  readonly start: number;
  readonly end: number;
}

/** The comments of a file, in groups. A comment that shares its line with code before it is a group of its own. */
export function groupComments(text: string, comments: readonly Comment[]): CommentGroup[] {
  const groups: { comments: Comment[]; start: number; end: number }[] = [];
  let previous: (typeof groups)[number] | undefined;
  for (const comment of comments) {
    const between = previous === undefined ? "" : text.slice(previous.end, comment.start);
    const continues =
      previous !== undefined && /^[ \t]*\r?\n[ \t]*$/.test(between) && !isTrailing(text, previous.start);
    if (previous !== undefined && continues) {
      previous.comments.push(comment);
      previous.end = comment.end;
    } else {
      previous = { comments: [comment], start: comment.start, end: comment.end };
      groups.push(previous);
    }
  }
  return groups;
}

/** Whether code stands before `offset` in its line. */
export function isTrailing(text: string, offset: number): boolean {
  return text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset).trim() !== "";
}

/** Whether nothing but a line's end stands between a comment and what begins at `offset`. */
export function isAdjacent(text: string, group: CommentGroup, offset: number): boolean {
  return /^[ \t]*(?:\r?\n)?[ \t]*$/.test(text.slice(group.end, offset));
}

export function markersOf(group: CommentGroup): RawMarker[] {
  return group.comments.flatMap((comment) =>
    linesOf(comment).flatMap(({ text, offset }) => {
      const marker = text.trim();
      if (!marker.startsWith("+")) return [];
      return [{ text: marker, offset: offset + text.indexOf("+") }];
    }),
  );
}

/**
 * What a doc comment says to readers, as controller-tools makes it of Go's: markers left out, as are lines that begin
 * with TODO and everything from a line that begins with "---" (neither inside of a Markdown code block).
 */
export function docOf(group: CommentGroup | undefined): string {
  const blocks = group?.comments.filter(isJSDoc) ?? [];
  const comments = blocks.length > 0 ? blocks.slice(-1) : (group?.comments ?? []);
  const lines = comments
    .flatMap((comment) => linesOf(comment).map(({ text }) => text.trimEnd()))
    .filter((line) => !line.trimStart().startsWith("+"));
  const kept: string[] = [];
  let inCode = false;
  for (const line of withoutSpareBlanks(lines)) {
    if (/^(?:```|~~~)/.test(line)) inCode = !inCode;
    if (!inCode && line.startsWith("TODO")) continue;
    if (!inCode && line.startsWith("---")) break;
    kept.push(line);
  }
  return kept.join("\n");
}

/** No empty lines at either end, and one between paragraphs. */
function withoutSpareBlanks(lines: readonly string[]): string[] {
  const kept = lines.filter((line, index) => line !== "" || (index > 0 && lines[index - 1] !== ""));
  while (kept[0] === "") kept.shift();
  while (kept.at(-1) === "") kept.pop();
  return kept;
}

function isJSDoc({ type, value }: Comment): boolean {
  return type === "Block" && value.startsWith("*");
}

/** The text of each line, without what makes it a comment, and one space after that. */
function linesOf(comment: Comment): { text: string; offset: number }[] {
  let offset = comment.start + 2;
  return comment.value.split("\n").map((line, index) => {
    const frame = comment.type === "Line" ? /^ ?/ : index === 0 ? /^\*? ?/ : /^[ \t]*(?:\* ?)?/;
    const length = frame.exec(line)?.[0].length ?? 0;
    const at = offset + length;
    offset += line.length + 1;
    return { text: line.slice(length), offset: at };
  });
}
