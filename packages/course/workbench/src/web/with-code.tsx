import { messagePieces, type Piece } from "./message-pieces.ts";

/** Shows a message whose code is between backticks. */
export function WithCode({ text }: { readonly text: string }) {
  return (
    <>
      {messagePieces(text).map((piece, i) => (
        <PieceView key={i} piece={piece} />
      ))}
    </>
  );
}

function PieceView({ piece: { text, kind } }: { readonly piece: Piece }) {
  if (kind === "text") return <>{text}</>;
  if (kind === "code") return <code>{text}</code>;
  return <span class={`sign-${kind}`}>{text}</span>;
}
