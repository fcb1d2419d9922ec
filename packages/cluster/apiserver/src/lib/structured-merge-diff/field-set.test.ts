import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  difference,
  emptySet,
  type FieldSet,
  fieldSetOf,
  forEachPath,
  hasPath,
  intersection,
  isEmptySet,
  leaves,
  recursiveDifference,
  union,
} from "./field-set.ts";
import { decodeFieldSet, encodeFieldSet } from "./fields-v1.ts";
import { fieldElement, keyElement, type PathElement, valueElement } from "./path-element.ts";

const element: fc.Arbitrary<PathElement> = fc.oneof(
  fc.constantFrom("a", "b", "metadata", "__proto__", ".").map(fieldElement),
  fc.constantFrom("x", "y").map((name) => keyElement([["name", name]])),
  fc.constantFrom<string | number | boolean>("x", 2, 10, true).map(valueElement),
);
const paths = fc.array(fc.array(element, { minLength: 1, maxLength: 4 }), { maxLength: 8 });
const sets = paths.map((list) => fieldSetOf(...list));

/** Returns the members as texts. */
function members(set: FieldSet): string[] {
  const found: string[] = [];
  forEachPath(set, (path) => found.push(JSON.stringify(path)));
  return found.sort();
}
const asSet = (set: FieldSet) => new Set(members(set));

describe("a field set", () => {
  test("contains exactly its paths", () => {
    fc.assert(
      fc.property(paths, (list) => {
        const set = fieldSetOf(...list);
        expect(asSet(set)).toEqual(new Set(list.map((path) => JSON.stringify(path))));
        for (const path of list) expect(hasPath(set, path)).toBe(true);
      }),
    );
  });

  test("is encoded and decoded without loss, in any order", () => {
    fc.assert(
      fc.property(paths, (list) => {
        const set = fieldSetOf(...list);
        const fields = encodeFieldSet(set);
        expect(members(decodeFieldSet(JSON.parse(JSON.stringify(fields))))).toEqual(members(set));
        // Equal sets have the same encoded object.
        expect(encodeFieldSet(fieldSetOf(...[...list].reverse()))).toBe(fields);
      }),
    );
  });

  test("behaves like a mathematical set of paths", () => {
    fc.assert(
      fc.property(sets, sets, (a, b) => {
        const [left, right] = [asSet(a), asSet(b)];
        expect(asSet(union(a, b))).toEqual(new Set([...left, ...right]));
        expect(asSet(intersection(a, b))).toEqual(new Set([...left].filter((path) => right.has(path))));
        expect(asSet(difference(a, b))).toEqual(new Set([...left].filter((path) => !right.has(path))));
        expect(isEmptySet(difference(a, a))).toBe(true);
      }),
    );
  });

  test("loses the paths below a member in a recursive difference", () => {
    fc.assert(
      fc.property(sets, sets, (a, b) => {
        const removed = members(b).map((text) => JSON.parse(text) as string[]);
        const kept = members(a).filter((text) => {
          const path = JSON.parse(text) as string[];
          return !removed.some((prefix) => prefix.every((step, index) => path[index] === step));
        });
        expect(members(recursiveDifference(a, b))).toEqual(kept);
      }),
    );
  });

  test("has leaves: members without members below them", () => {
    const [a, b, c] = ["a", "b", "c"].map(fieldElement) as [string, string, string];
    const set = fieldSetOf([a], [a, b], [a, b, c], [b]);
    expect(members(leaves(set))).toEqual(members(fieldSetOf([a, b, c], [b])));
    expect(leaves(emptySet)).toBe(emptySet);
  });

  test("is not changed by operations on it", () => {
    fc.assert(
      fc.property(sets, sets, (a, b) => {
        const before = members(a);
        union(a, b);
        difference(a, b);
        recursiveDifference(a, b);
        intersection(a, b);
        expect(members(a)).toEqual(before);
      }),
    );
  });
});
