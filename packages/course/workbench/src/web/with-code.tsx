import { messagePieces } from "./message-pieces.ts";

/** Shows a message whose code is between backticks. */
export function WithCode({ text }: { readonly text: string }) {
  return (
    <>
      {messagePieces(text).map((piece, i) => (piece.isCode ? <code key={i}>{piece.text}</code> : piece.text))}
    </>
  );
}
