import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { arbitraryObject, metadataOf, withoutManagedFields } from "../testing/arbitrary-objects.ts";
import { scanObject } from "./object-scan.ts";
import { textOf } from "./object-span.ts";

const scan = (text: string) => {
  const bytes = Buffer.from(text);
  return { bytes, span: scanObject(bytes, 0, bytes.length) };
};

const withoutThem = (text: string) => {
  const { bytes, span } = scan(text);
  return textOf(bytes, span);
};

describe("scanObject", () => {
  test("reads the same as a parser, with members in any order and formatting", () => {
    fc.assert(
      fc.property(arbitraryObject, fc.string(), fc.string(), (text, before, after) => {
        const bytes = Buffer.from(before + text + after);
        const from = Buffer.byteLength(before);
        const span = scanObject(bytes, from, from + Buffer.byteLength(text));
        const object = JSON.parse(text);
        expect(span).toMatchObject(metadataOf(object));
        const { metadataFrom, metadataTo } = span;
        const metadata =
          metadataFrom < 0 ? undefined : JSON.parse(bytes.toString("utf8", metadataFrom, metadataTo));
        expect(metadata).toEqual(object.metadata ?? undefined);
        expect(bytes.toString("utf8", span.from, span.to)).toBe(text.trim());
        expect(JSON.parse(textOf(bytes, span))).toEqual(withoutManagedFields(object));
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ["the first member", '{"metadata":{"managedFields":[{}],"name":"a"}}', '{"metadata":{"name":"a"}}'],
    [
      "one between",
      '{"metadata":{"name":"a","managedFields":[{}],"uid":"1"}}',
      '{"metadata":{"name":"a","uid":"1"}}',
    ],
    [
      "the last",
      '{"metadata":{"name":"a","managedFields":[{}]},"spec":1}',
      '{"metadata":{"name":"a"},"spec":1}',
    ],
    ["the only member", '{"metadata":{"managedFields":[{}]}}', '{"metadata":{}}'],
    ["null", '{"metadata":{"name":"a","managedFields":null}}', '{"metadata":{"name":"a"}}'],
    ["empty", '{"metadata":{"managedFields":[],"name":"a"}}', '{"metadata":{"name":"a"}}'],
    [
      "surrounded by white space",
      '{"metadata":{ "name":"a" , "managedFields":[ ] } }',
      '{"metadata":{ "name":"a" } }',
    ],
  ])("cuts managedFields with its comma when it is %s", (_, text, rest) => {
    expect(withoutThem(text)).toBe(rest);
  });

  test.each([
    ["in spec", '{"spec":{"metadata":{"managedFields":[1],"name":"not"}},"metadata":{"name":"a"}}'],
    ["in a string", '{"metadata":{"annotations":{"x":"\\"managedFields\\":[]"},"name":"a"}}'],
    [
      "in an annotation's name",
      '{"metadata":{"annotations":{"managedFields":"[]","name":"not"},"name":"a"}}',
    ],
    ["in an owner", '{"metadata":{"ownerReferences":[{"name":"not","uid":"not"}],"name":"a"}}'],
  ])("ignores a member of that name %s", (_, text) => {
    const { bytes, span } = scan(text);
    expect(span).toMatchObject({ key: "a", uid: "" });
    expect(textOf(bytes, span)).toBe(text);
  });

  test.each([
    ["with closing brackets in a string", '[{"f:x":{"v:}],":{},"k":"],\\"x"}}],"name":"a"'],
    ["with a string that looks like its end", '[{"f":"],","y":{}}],"name":"a"'],
    ["with an array in it", '[{"f":[{}],"y":1}],"name":"a"'],
    ["with an array in an object in it", '[{"f":{"g":[{}]},"y":1}],"name":"a"'],
    ["with white space", '[ { } ] , "name":"a"'],
  ])("cuts managedFields %s completely", (_, rest) => {
    expect(withoutThem(`{"metadata":{"managedFields":${rest}}}`).replaceAll(" ", "")).toBe(
      '{"metadata":{"name":"a"}}',
    );
  });

  test.each([
    ['{"name":"a","namespace":"shop"}', "shop/a"],
    ['{"namespace":"shop","name":"a\\u002db"}', "shop/a-b"],
    ['{"namespace":"sh\\u006fp","name":"é"}', "shop/é"],
    ['{"namespace":"shop","name":"é"}', "shop/é"],
    ['{"namespace":"","name":"a"}', "a"],
    ['{"namespace":null,"name":"a"}', "a"],
    ['{"namespace":"shop"}', "shop/"],
    [
      `{"namespace":"${"n".repeat(300)}","name":"${"m".repeat(300)}"}`,
      `${"n".repeat(300)}/${"m".repeat(300)}`,
    ],
  ])("builds the key of %s", (metadata, key) => {
    expect(scan(`{"metadata":${metadata}}`).span.key).toBe(key);
  });

  test("reads objects of any depth", () => {
    const deep = (n: number) => '{"a":['.repeat(n) + "]}".repeat(n);
    const text = `{"spec":${deep(100_000)},"metadata":{"x":${deep(100_000)},"name":"a","managedFields":[${deep(100_000)}]}}`;
    expect(scan(text).span.key).toBe("a");
  });

  test("reports an object that is cut off, unless it still ends like one after its metadata", () => {
    const outcome = (bytes: Buffer, to: number) => {
      try {
        const { metadataFrom, metadataTo } = scanObject(bytes, 0, to);
        return metadataFrom > 0 && metadataTo < to && bytes.toString("utf8", 0, to).trimEnd().endsWith("}");
      } catch (error) {
        return error instanceof SyntaxError && /at byte \d+.*expected/.test(error.message);
      }
    };
    const whole = Buffer.from(
      '{ "kind":"x\\"}","metadata":{"name":"a","managedFields":[{}],"x":null},"spec":[{}]}',
    );
    expect(Array.from(whole.keys()).filter((to) => !outcome(whole, to))).toEqual([]);
    fc.assert(
      fc.property(arbitraryObject, fc.nat(), (text, at) => {
        const bytes = Buffer.from(text.trim());
        expect(outcome(bytes, at % bytes.length)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test("reports invalid bytes, and reads nothing outside of the range", () => {
    const change = fc.tuple(fc.nat(10_000), fc.constantFrom(...'{}[]":,\\ a0', "\0", "é"));
    fc.assert(
      fc.property(arbitraryObject, fc.array(change, { minLength: 1, maxLength: 3 }), (text, changes) => {
        const bytes = Buffer.from(text);
        for (const [at, char] of changes) bytes.write(char, at % bytes.length);
        try {
          const { from, to, metadataFrom, metadataTo, cutFrom, cutTo } = scanObject(bytes, 0, bytes.length);
          expect([from, cutFrom, cutTo, to]).toEqual([from, cutFrom, cutTo, to].sort((a, b) => a - b));
          expect(metadataFrom).toBeLessThanOrEqual(metadataTo);
          expect(to).toBeLessThanOrEqual(bytes.length);
        } catch (error) {
          expect(error).toBeInstanceOf(SyntaxError);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test.each([
    ["", "malformed JSON: it ends at byte 0, expected '{'"],
    ["[]", "malformed JSON at byte 0: expected '{', found \"[]\""],
    ['{"metadata":[]}', 'malformed JSON at byte 12: expected an object or null, found "[]}"'],
    ['{"metadata":{"name":5}}', 'malformed JSON at byte 20: expected a string as metadata.name, found "5"'],
    [
      '{"metadata":{"name":"a" "uid":""}}',
      'malformed JSON at byte 24: expected \',\' or \'}\', found "\\"uid\\":\\"\\"}}"',
    ],
    ['{"metadata":{"name":"a"', "malformed JSON: it ends at byte 23, expected ',' or '}'"],
    ['{"metadata":{"name":"a"}', "malformed JSON: it ends at byte 24, expected '}'"],
    ['{"a":,"metadata":{}}', 'malformed JSON at byte 5: expected a value, found ",\\"metadata\\":{}}"'],
    ["{} {}", 'malformed JSON at byte 2: expected the end of the text, found " {}"'],
  ])("reports position and expectation for %s", (text, message) => {
    expect(() => scan(text)).toThrow(new SyntaxError(message));
  });
});
