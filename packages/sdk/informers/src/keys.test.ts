import fc from "fast-check";
import { expect, test } from "vitest";
import { isOlder } from "./keys.ts";

test("compares versions of any size as numbers, and treats other versions as not older", () => {
  const version = fc.bigInt({ min: 1n, max: 10n ** 30n });
  fc.assert(fc.property(version, version, (a, b) => isOlder(String(a), String(b)) === a < b));
  for (const other of ["", "0", "abc", "012", "1.5"]) {
    expect([isOlder(other, "7"), isOlder("7", other)]).toEqual([false, false]);
  }
});
