import { expect, test } from "vitest";
import { messagePieces } from "./message-pieces.ts";

const shown = (message: string): string =>
  messagePieces(message)
    .map(({ text, isCode }) => (isCode ? `<${text}>` : text))
    .join("");

test("finds the code in what a command says", () => {
  expect(shown("✗ `kubectl get pods`: none\n  Run `make install` first.")).toBe(
    "✗ <kubectl get pods>: none\n  Run <make install> first.",
  );
});

test("keeps the backticks of quoted lines", () => {
  const quoted = "    say(`name`);\n- say(`a`);\n+ say(`b`);\n say(`c`);\nOne ` alone.";
  expect(shown(quoted)).toBe(quoted);
});
