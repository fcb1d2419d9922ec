import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { arbitraryValue, type Members, membersOf, shuffled, write } from "../testing/arbitrary-json.ts";
import {
  arbitraryFormatting,
  arbitraryMembers,
  metadataOf,
  withoutManagedFields,
} from "../testing/arbitrary-objects.ts";
import { scanList } from "./list-scan.ts";
import { scanObject } from "./object-scan.ts";
import { textOf } from "./object-span.ts";

const text = (value: unknown) => ({ text: JSON.stringify(value) });

const own: fc.Arbitrary<Members> = fc
  .tuple(fc.array(arbitraryMembers, { maxLength: 4 }), fc.nat())
  .map(([items, n]) => [
    ["kind", text("PodList")],
    ["apiVersion", text("v1")],
    [
      "metadata",
      {
        members: [
          ["resourceVersion", text(`${n}`)],
          ["continue", text('é"}]')],
          ["remainingItemCount", text(n)],
        ],
      },
    ],
    ["items", { items }],
  ]);

const others = membersOf(arbitraryValue, "kind", "apiVersion", "metadata", "items");

const arbitraryList = fc
  .tuple(fc.oneof(own, shuffled(fc.tuple(own, others).map((all) => all.flat()))), arbitraryFormatting)
  .map(([members, formatting]) => write({ members }, formatting));

const scan = (list: string) => scanList(Buffer.from(list));

describe("scanList", () => {
  test("finds every item and the list's metadata at any position", () => {
    fc.assert(
      fc.property(arbitraryList, (list) => {
        const bytes = Buffer.from(list);
        const { items, metadata, kind, apiVersion } = JSON.parse(list);
        const found = scanList(bytes);
        expect(found).toMatchObject({ kind, apiVersion, ...metadata });
        expect(found.items).toHaveLength(items.length);
        for (const [i, item] of items.entries()) {
          const span = found.items[i];
          if (!span) throw new Error(`no item ${i}`);
          expect(JSON.parse(bytes.toString("utf8", span.from, span.to))).toEqual(item);
          expect(scanObject(bytes, span.from, span.to)).toEqual(span);
          expect(span).toMatchObject(metadataOf(item));
          expect(JSON.parse(textOf(bytes, span))).toEqual(withoutManagedFields(item));
        }
      }),
      { numRuns: 200 },
    );
  });

  test.each([
    ["[]", '{"kind":"List","items":[]}'],
    ["null, like a nil slice in Go", '{"kind":"List","metadata":null,"items":null}'],
    ["absent", '{"kind":"List"}'],
  ])("finds no items if they are %s", (_, list) => {
    expect(scan(list)).toEqual({
      kind: "List",
      apiVersion: "",
      resourceVersion: "",
      continue: "",
      items: [],
    });
  });

  test("finds items of any depth", () => {
    const deep = '{"a":['.repeat(100_000) + "]}".repeat(100_000);
    expect(scan(`{"items":[${deep},${deep}]}`).items).toHaveLength(2);
  });

  test("reports a list that is cut off anywhere, instead of a shorter page", () => {
    const isRefused = (bytes: Buffer) => {
      try {
        scanList(bytes);
        return false;
      } catch (error) {
        return error instanceof SyntaxError && /at byte \d+.*expected/.test(error.message);
      }
    };
    const whole = Buffer.from(
      '{"kind":"L","metadata":{"continue":"c"},"items":[{"x":"}]"},{"y":[{}]}],"z":[1]}',
    );
    expect(Array.from(whole.keys()).filter((to) => !isRefused(whole.subarray(0, to)))).toEqual([]);
    fc.assert(
      fc.property(arbitraryList, fc.nat(), (list, at) => {
        const bytes = Buffer.from(list.trim());
        expect(isRefused(bytes.subarray(0, at % bytes.length))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    ["<html>", "malformed JSON at byte 0: expected '{', found \"<html>\""],
    ['{"items":{}}', 'malformed JSON at byte 9: expected an array or null, found "{}}"'],
    ['{"items":[1]}', 'malformed JSON at byte 10: expected an item, found "1]}"'],
    ['{"items":[{} {}]}', "malformed JSON at byte 13: expected ',', found \"{}]}\""],
    ['{"items":[{},]}', 'malformed JSON at byte 13: expected an item, found "]}"'],
    ['{"metadata":7}', 'malformed JSON at byte 12: expected an object or null, found "7}"'],
  ])("reports position and expectation for %s", (list, message) => {
    expect(() => scan(list)).toThrow(new SyntaxError(message));
  });

  test("reports the position of malformed metadata", () => {
    expect(() => scan('{"metadata":{"continue":x}}')).toThrow(/at byte 12: expected a value \(/);
  });
});
