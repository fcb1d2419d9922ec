import { expect, test } from "vitest";
import { addFinalizer, containsFinalizer, removeFinalizer } from "./finalizers.ts";

test("returns a new object for a change, and the same one otherwise", () => {
  const plain = Object.freeze({ metadata: Object.freeze({ name: "a" }) });
  const added = addFinalizer(plain, "example.com/a");
  expect(added.metadata).toEqual({ name: "a", finalizers: ["example.com/a"] });
  expect(addFinalizer(added, "example.com/a")).toBe(added);
  expect([containsFinalizer(added, "example.com/a"), containsFinalizer(plain, "example.com/a")]).toEqual([
    true,
    false,
  ]);
  const two = addFinalizer(added, "example.com/b");
  expect(removeFinalizer(two, "example.com/a").metadata).toEqual({
    name: "a",
    finalizers: ["example.com/b"],
  });
  expect(removeFinalizer(plain, "example.com/a")).toBe(plain);
});
