export interface Piece {
  readonly text: string;
  readonly isCode: boolean;
}

/** Splits what a command says into text and the code between its backticks. The lines of a diff stay as they are. */
export function messagePieces(message: string): Piece[] {
  return message.split(/(?<=\n)/).flatMap((line): Piece[] => {
    const pieces = line.split("`");
    const isQuoted = /^(?: {3}| \S|[-+@])/.test(line) || pieces.length % 2 === 0;
    return isQuoted
      ? [{ text: line, isCode: false }]
      : pieces.map((text, i) => ({ text, isCode: i % 2 === 1 }));
  });
}
