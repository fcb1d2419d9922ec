import fc from "fast-check";
import { expect, test } from "vitest";
import { parseJson, stringifyJson } from "./exact-json.ts";

test("preserves integers wherever they move in the document", () => {
  const integer = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n });
  fc.assert(
    fc.property(fc.uniqueArray(integer, { selector: Number }), fc.string(), (integers, text) => {
      const document = `{"list":[${integers.join(",")}],"text":${JSON.stringify(`${text}9007199254740993`)}}`;
      const { value, large } = parseJson(document);
      const { list, text: same } = value as { list: number[]; text: string };
      expect(list).toEqual(integers.map(Number));
      const moved = { again: same, nested: { list: [...list].reverse() } };
      expect(stringifyJson(moved, large)).toBe(
        `{"again":${JSON.stringify(same)},"nested":{"list":[${[...integers].reverse().join(",")}]}}`,
      );
    }),
  );
});

test("never confuses two integers that become the same JavaScript number", () => {
  const { value, large } = parseJson('{"a":9007199254740993,"b":9007199254740992}');
  expect(() => stringifyJson(value, large)).toThrow(
    "9007199254740992 may be 9007199254740993 or 9007199254740992",
  );
  expect(stringifyJson({ c: 1 }, large)).toBe('{"c":1}');
});
