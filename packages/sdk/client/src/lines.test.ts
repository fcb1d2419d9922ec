import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createLineSplitter, splitLines } from "./lines.ts";

async function collect(chunks: Uint8Array[], limit?: number): Promise<string[]> {
  const lines: Uint8Array[] = [];
  const stream = (async function* () {
    yield* chunks;
  })();
  for await (const line of splitLines(stream, limit)) lines.push(line);
  return lines.map((line) => Buffer.from(line).toString("utf8"));
}

function cut(bytes: Uint8Array, at: number[]): Uint8Array[] {
  const points = [...new Set(at.map((point) => point % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...points].map((from, i) => bytes.subarray(from, points[i] ?? bytes.length));
}

/** Terminated lines, some of them empty, with characters from all of Unicode. */
const arbitraryLines = fc.array(
  fc.oneof(
    fc.string({ unit: "grapheme" }).filter((text) => !text.includes("\n")),
    fc.nat(40_000).map((n) => "é".repeat(n)),
  ),
);

describe("createLineSplitter", () => {
  test("returns the same lines wherever the chunks are cut, even within a character", () => {
    fc.assert(
      fc.property(arbitraryLines, fc.string(), fc.array(fc.nat()), (lines, rest, at) => {
        const begun = rest.replaceAll("\n", "");
        const bytes = Buffer.from(lines.map((text) => `${text}\n`).join("") + begun);
        const seen: string[] = [];
        const splitter = createLineSplitter((line) => seen.push(Buffer.from(line).toString("utf8")));
        for (const chunk of cut(bytes, at)) {
          // Like a socket that reuses its memory.
          const own = Uint8Array.from(chunk);
          splitter.push(own);
          own.fill(0x0a);
        }
        expect(seen).toEqual(lines.filter((text) => text !== ""));
        expect(splitter.pending).toBe(Buffer.byteLength(begun));
      }),
    );
  });

  test("counts the bytes of an incomplete line, and accepts a line as long as the limit", () => {
    const seen: number[] = [];
    const splitter = createLineSplitter((line) => seen.push(line.length), 5);
    splitter.push(Buffer.from("123"));
    expect(splitter.pending).toBe(3);
    splitter.push(Buffer.from("45"));
    expect(splitter.pending).toBe(5);
    splitter.push(Buffer.from("\n12345\n\n1"));
    expect(seen).toEqual([5, 5]);
    expect(splitter.pending).toBe(1);
  });

  test.each([
    ["within a chunk", ["123456\n"]],
    ["at a chunk's end", ["123", "456\n"]],
    ["that does not end", ["123", "456"]],
  ])("rejects a longer line %s", (_, chunks) => {
    const splitter = createLineSplitter(() => {}, 5);
    expect(() => chunks.map((chunk) => splitter.push(Buffer.from(chunk)))).toThrow("longer than 5 bytes");
  });

  test("rethrows the error of the callback", () => {
    const splitter = createLineSplitter(() => {
      throw new Error("no event");
    });
    expect(() => splitter.push(Buffer.from("x\n"))).toThrow("no event");
  });
});

describe("splitLines", () => {
  test("yields lines that the caller may keep", async () => {
    const line = fc.string({ unit: "grapheme", minLength: 1 }).filter((text) => !text.includes("\n"));
    await fc.assert(
      fc.asyncProperty(fc.array(line), fc.array(fc.nat(10_000)), async (lines, at) => {
        const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(""));
        expect(await collect(cut(bytes, at))).toEqual(lines);
      }),
    );
  });

  test("does not deliver an unterminated last line", async () => {
    expect(await collect([Buffer.from('{"a":1}\n{"b":')])).toEqual(['{"a":1}']);
  });

  test("rejects an endless line before it fills the memory", async () => {
    const chunks = Array.from({ length: 10 }, () => Buffer.alloc(100, "x"));
    await expect(collect(chunks, 500)).rejects.toThrow("longer than 500 bytes");
  });
});
