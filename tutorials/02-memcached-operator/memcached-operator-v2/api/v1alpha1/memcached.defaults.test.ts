import { expect, test } from "vitest";
import { setDefaults } from "./memcached.defaults.ts";
import type { Memcached } from "./memcached.types.ts";

/** The spec after the defaulter has seen it as often as that. */
function defaulted(spec: unknown, times = 1): unknown {
  // Clients can send anything. The compiler only knows what they should send.
  const memcached = { metadata: { name: "sample" }, spec } as Memcached;
  for (let i = 0; i < times; i++) setDefaults(memcached);
  return memcached.spec;
}

test("a few Pods get 64 MiB each, and many share 1024 MiB", () => {
  expect(defaulted({ size: 3 })).toEqual({ size: 3, memory: 64 });
  expect(defaulted({ size: 16 })).toEqual({ size: 16, memory: 64 });
  expect(defaulted({ size: 20 })).toEqual({ size: 20, memory: 51 });
  expect(defaulted({ size: 0 })).toEqual({ size: 0, memory: 64 });
});

test("a memory that the user has set stays, and a second call changes nothing", () => {
  expect(defaulted({ size: 20, memory: 32 })).toEqual({ size: 20, memory: 32 });
  expect(defaulted({ size: 20 }, 2)).toEqual({ size: 20, memory: 51 });
});

test("an object without a size is left to the schema, which rejects it", () => {
  expect(defaulted(undefined)).toEqual(undefined);
  expect(defaulted({})).toEqual({});
});
