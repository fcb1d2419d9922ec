import { expect, test } from "vitest";
import { checkUpdate } from "./memcached.rules.ts";
import type { Memcached } from "./memcached.types.ts";

function memcached(size: number, labels?: Record<string, string>): Memcached {
  return { metadata: { name: "sample", ...(labels && { labels }) }, spec: { size } };
}
const isProtected = { "cache.example.com/protected": "true" };

test("a change that does not shrink passes without a warning", () => {
  expect(checkUpdate(memcached(3), memcached(3))).toEqual([]);
  expect(checkUpdate(memcached(3, isProtected), memcached(5, isProtected))).toEqual([]);
});

test("a change that shrinks passes with one warning, which says how many Pods go", () => {
  expect(checkUpdate(memcached(5), memcached(3))).toEqual([expect.stringContaining("2")]);
  const released = { "cache.example.com/protected": "false" };
  expect(checkUpdate(memcached(5, released), memcached(1, released))).toEqual([expect.stringContaining("4")]);
});

test("a protected Memcached cannot shrink, and the error names the field", () => {
  expect(() => checkUpdate(memcached(3, isProtected), memcached(2, isProtected))).toThrow("spec.size");
});

test("removing the label and shrinking in one change is rejected", () => {
  expect(() => checkUpdate(memcached(3, isProtected), memcached(2))).toThrow("spec.size");
});
