import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { JsonSyntaxError, parseJson } from "./parse-json.ts";

describe("parseJson", () => {
  test("agrees with JSON.parse on every JSON text", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), fc.constantFrom(undefined, 1), (text, indent) => {
        const spaced = JSON.stringify(JSON.parse(text), null, indent);
        expect(parseJson(spaced).value).toEqual(JSON.parse(spaced));
      }),
    );
  });

  test("rejects exactly what JSON.parse rejects", () => {
    const piece = fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      '"a"',
      "1",
      "-0.5e3",
      "true",
      "nul",
      "\\",
      '"',
      " ",
      "01",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join("");
        let good = true;
        try {
          JSON.parse(text);
        } catch {
          good = false;
        }
        if (good) expect(parseJson(text).value).toEqual(JSON.parse(text));
        else expect(() => parseJson(text)).toThrow(JsonSyntaxError);
      }),
      { numRuns: 2_000 },
    );
  });

  test("reports duplicate members, and keeps the last one", () => {
    const { value, duplicates } = parseJson('{"a":{"x":1,"y":2,"x":3,"x":4},"b":[{"z":1,"z":2}]}');
    const object = value as { a: object; b: object[] };
    expect(value).toEqual({ a: { x: 4, y: 2 }, b: [{ z: 2 }] });
    expect(duplicates.get(object.a)).toEqual(["x"]);
    expect(duplicates.get(object.b[0] as object)).toEqual(["z"]);
    expect(duplicates.get(object)).toBeUndefined();
  });

  test("treats __proto__ as a member, not as the prototype", () => {
    const { value } = parseJson('{"__proto__":{"polluted":true}}');
    expect(Object.keys(value as object)).toEqual(["__proto__"]);
    expect((value as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test("rejects deep nesting before the stack overflows", () => {
    expect(() => parseJson("[".repeat(100_000))).toThrow("exceeded max depth");
  });
});
