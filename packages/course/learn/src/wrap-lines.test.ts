import { expect, it } from "vitest";
import { wrapLines } from "./wrap-lines.ts";

it("wraps a line at words, with its indentation", () => {
  expect(wrapLines("✗ one two three four five\n  six seven eight nine ten", 20)).toBe(
    "✗ one two three four\nfive\n  six seven eight nine\n  ten",
  );
});

it("keeps short lines, and words that are too long", () => {
  const text = "\n  short\n\tcode();\n0123456789012345678901234567";
  expect(wrapLines(text, 20)).toBe(text);
});
