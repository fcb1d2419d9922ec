import { expect, test } from "vitest";
import { addFinalizer, containsFinalizer, removeFinalizer } from "./finalizers.ts";

test("finalizers come and go on another object; nothing to do gives the same one", () => {
  const plain = Object.freeze({ metadata: Object.freeze({ name: "a" }) });
  const held = addFinalizer(plain, "example.com/a");
  expect(held.metadata).toEqual({ name: "a", finalizers: ["example.com/a"] });
  expect(addFinalizer(held, "example.com/a")).toBe(held);
  expect([containsFinalizer(held, "example.com/a"), containsFinalizer(plain, "example.com/a")]).toEqual([
    true,
    false,
  ]);
  const two = addFinalizer(held, "example.com/b");
  expect(removeFinalizer(two, "example.com/a").metadata).toEqual({
    name: "a",
    finalizers: ["example.com/b"],
  });
  expect(removeFinalizer(plain, "example.com/a")).toBe(plain);
});
