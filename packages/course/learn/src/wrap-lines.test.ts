import { expect, it } from "vitest";
import { wrapLines, wrappingStream } from "./wrap-lines.ts";

it("wraps a line at words, with its indentation", () => {
  expect(wrapLines("✗ one two three four five\n  six seven eight nine ten", 20)).toBe(
    "✗ one two three four\n  five\n  six seven eight nine\n  ten",
  );
});

it("indents the rest of a line of code in a diff as the code", () => {
  expect(wrapLines("-    const one = two + three;", 20)).toBe("-    const one = two +\n     three;");
});

it("keeps a command in backticks on one line, if it fits", () => {
  expect(wrapLines("Then run `kubectl get pods` to see", 20)).toBe("Then run\n`kubectl get pods`\nto see");
  expect(wrapLines("`one two three four five six`", 20)).toBe("`one two three four\nfive six`");
});

it("keeps short lines, and words that are too long", () => {
  const text = "\n  short\n+ a   b  \n\tcode();\n0123456789012345678901234567";
  expect(wrapLines(text, 20)).toBe(text);
});

it("indents the rest of a marked line after the mark, also of a coloured one", () => {
  expect(wrapLines("  \x1b[32m✓\x1b[39m one two three four five six", 24)).toBe(
    "  \x1b[32m✓\x1b[39m one two three four\n    five six",
  );
  expect(wrapLines("\x1b[31m- one two three four five\x1b[39m", 22)).toBe(
    "\x1b[31m- one two three four\n  five\x1b[39m",
  );
});

it("keeps a path in one piece", () => {
  expect(wrapLines("kept: /tmp/a/very/long/path/of/a/folder", 20)).toBe(
    "kept:\n/tmp/a/very/long/path/of/a/folder",
  );
});

it.each([
  [true, "one two three four\nfive\n"],
  [false, "one two three four five\n"],
])(
  "wraps finished lines of a stream on a terminal (%s), and no line that is drawn again",
  (isTTY, wrapped) => {
    let written = "";
    const stream = wrappingStream({ isTTY, columns: 20, write: (text) => (written += text) });
    stream.write("\r\x1b[K one two three four five");
    expect(written).toBe("\r\x1b[K one two three four five");
    written = "";
    stream.write("one two three four five\n");
    expect(written).toBe(wrapped);
  },
);
