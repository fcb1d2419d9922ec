export interface Piece {
  readonly text: string;
  readonly kind: "text" | "code" | "passed" | "failed";
}

/**
 * Splits what a command says into text, the code between its backticks, and the signs at which its results begin. The
 * lines of a diff stay as they are.
 */
export function messagePieces(message: string): Piece[] {
  return message.split(/(?<=\n)/).flatMap((line): Piece[] => {
    const [, sign, rest = ""] = /^([✓✗!])( .*)$/s.exec(line) ?? [];
    if (sign !== undefined)
      return [{ text: sign, kind: sign === "✓" ? "passed" : "failed" }, ...linePieces(rest)];
    return /^(?: {3}| \S|[-+@])/.test(line) ? [{ text: line, kind: "text" }] : linePieces(line);
  });
}

function linePieces(line: string): Piece[] {
  const pieces = line.split("`");
  if (pieces.length % 2 === 0) return [{ text: line, kind: "text" }];
  return pieces.map((text, i) => ({ text, kind: i % 2 === 1 ? "code" : "text" }));
}
