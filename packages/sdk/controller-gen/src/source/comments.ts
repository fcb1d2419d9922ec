import type { Comment } from "oxc-parser";

/** A line of a comment that begins with "+": `+kubebuilder:validation:Minimum=0`. */
export interface RawMarker {
  /** With the plus sign, trimmed. */
  readonly text: string;
  /** Offset of the plus sign in the file. */
  readonly offset: number;
}

/** Comments without an empty line between them (Go: ast.CommentGroup). */
export interface CommentGroup {
  readonly comments: readonly Comment[];
  readonly start: number;
  readonly end: number;
}

/** Returns the comments of a file in groups. A comment behind code on the same line forms its own group. */
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

/** Returns whether there is code before `offset` on the same line. */
export function isTrailing(text: string, offset: number): boolean {
  return text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset).trim() !== "";
}

/**
 * Returns whether a comment ends on the line before `offset`, or on the same line, with only white space
 * between.
 */
export function isAdjacent(text: string, group: CommentGroup, offset: number): boolean {
  return /^[ \t]*(?:\r?\n)?[ \t]*$/.test(text.slice(group.end, offset));
}

/** Returns the markers in a group of comments. */
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
 * Returns the description in a doc comment, by the rules of controller-tools. Omits markers, lines that begin
 * with TODO, and everything after a line that begins with "---". The last two rules do not apply inside a
 * Markdown code block.
 */
export function docOf(group: CommentGroup | undefined): string {
  const blocks = group?.comments.filter(isJSDoc) ?? [];
  const comments = blocks.length > 0 ? blocks.slice(-1) : (group?.comments ?? []);
  const lines = comments
    .flatMap((comment) => linesOf(comment).map(({ text }) => text.trimEnd()))
    .filter((line) => !line.trimStart().startsWith("+"));
  const description: string[] = [];
  let inCode = false;
  for (const line of trimEmptyLines(lines)) {
    if (/^(?:```|~~~)/.test(line)) inCode = !inCode;
    if (!inCode && line.startsWith("TODO")) continue;
    if (!inCode && line.startsWith("---")) break;
    description.push(line);
  }
  return description.join("\n");
}

/** Removes empty lines at both ends, and leaves one between paragraphs. */
function trimEmptyLines(lines: readonly string[]): string[] {
  const trimmed = lines.filter((line, index) => line !== "" || (index > 0 && lines[index - 1] !== ""));
  while (trimmed[0] === "") trimmed.shift();
  while (trimmed.at(-1) === "") trimmed.pop();
  return trimmed;
}

function isJSDoc({ type, value }: Comment): boolean {
  return type === "Block" && value.startsWith("*");
}

/** Returns the text of each line without the comment's own characters and the space after them. */
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
