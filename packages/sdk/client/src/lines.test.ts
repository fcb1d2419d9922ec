import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { splitLines } from "./lines.ts";

async function collect(chunks: Uint8Array[], limit?: number): Promise<string[]> {
  const lines: string[] = [];
  const stream = (async function* () {
    yield* chunks;
  })();
  for await (const line of splitLines(stream, limit)) lines.push(Buffer.from(line).toString("utf8"));
  return lines;
}

function cut(bytes: Uint8Array, at: number[]): Uint8Array[] {
  const points = [...new Set(at.map((point) => point % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...points].map((from, i) => bytes.subarray(from, points[i] ?? bytes.length));
}

describe("splitLines", () => {
  test("wherever the chunks are cut, in the middle of a character too, the lines are the same", async () => {
    const line = fc.string({ unit: "grapheme", minLength: 1 }).filter((text) => !text.includes("\n"));
    await fc.assert(
      fc.asyncProperty(fc.array(line), fc.array(fc.nat(10_000)), async (lines, at) => {
        const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(""));
        expect(await collect(cut(bytes, at))).toEqual(lines);
      }),
    );
  });

  test("a last line that was cut off is not delivered", async () => {
    expect(await collect([Buffer.from('{"a":1}\n{"b":')])).toEqual(['{"a":1}']);
  });

  test("a line without end is an error, not all of the memory", async () => {
    const chunks = Array.from({ length: 10 }, () => Buffer.alloc(100, "x"));
    await expect(collect(chunks, 500)).rejects.toThrow("longer than 500 bytes");
  });
});
