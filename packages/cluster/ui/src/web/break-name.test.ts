import fc from "fast-check";
import { expect, test } from "vitest";
import { breakName } from "./break-name.ts";

test("a name that fits stays on one line", () => {
  expect(breakName("payment", 150)).toEqual({ head: "payment", cut: "", tail: "" });
});

test("a Pod's name is shown whole, broken after a hyphen", () => {
  const [head, cut, tail] = ["payment-1.0.0-", "", "55f4c8fd88-sfw5c"];
  expect(breakName("payment-1.0.0-55f4c8fd88-sfw5c", 150)).toEqual({ head, cut, tail });
});

test("of a name that is too long, the beginning and the end are kept", () => {
  const { head, tail } = breakName(`${"very-long-name-".repeat(5)}sfw5c`, 150);
  expect(head).toMatch(/^very-long-name-/);
  expect(tail).toMatch(/-sfw5c$/);
});

test("the parts are the whole name, and no line is longer than the room", () => {
  const name = fc.string({ unit: fc.constantFrom(..."ab-."), maxLength: 100, size: "max" });
  fc.assert(
    fc.property(name, fc.integer({ min: 100, max: 300 }), (name, width) => {
      const { head, cut, tail } = breakName(name, width);
      expect(head + cut + tail).toBe(name);
      expect((head.length + (cut ? 1 : 0)) * 7.4).toBeLessThanOrEqual(width);
      expect(tail.length * 7.4).toBeLessThanOrEqual(width);
      expect(cut === "" || name.length * 7.4 > 2 * width - 2 * 7.4).toBe(true);
    }),
  );
});
