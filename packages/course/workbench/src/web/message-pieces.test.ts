import { expect, test } from "vitest";
import { messagePieces } from "./message-pieces.ts";

const shown = (message: string): string =>
  messagePieces(message)
    .map(({ text, kind }) => (kind === "text" ? text : `<${kind}: ${text}>`))
    .join("");

test("finds the code in what a command says", () => {
  expect(shown("✗ `kubectl get pods`: none\n  Run `make install` first.")).toBe(
    "<failed: ✗> <code: kubectl get pods>: none\n  Run <code: make install> first.",
  );
});

test("keeps the backticks of quoted lines", () => {
  const quoted = "    say(`name`);\n- say(`a`);\n+ say(`b`);\n say(`c`);\nOne ` alone.";
  expect(shown(quoted)).toBe(quoted);
});

test("finds the signs at which results begin", () => {
  expect(shown("✓ counts  a.test.ts\n✗ forgets\n    ✓ is quoted\n! does not load")).toBe(
    "<passed: ✓> counts  a.test.ts\n<failed: ✗> forgets\n    ✓ is quoted\n<failed: !> does not load",
  );
});
