import { expect, test } from "vitest";
import { describe } from "./describe.ts";
import { createScriptedInformer } from "./testing/scripted-informer.ts";
import { configMap } from "./testing/scripted-source.ts";

const hostile = Object.defineProperty(new Error("never read"), "message", {
  get() {
    throw new Error("not even the message");
  },
});

/** All of these may be thrown, and none of them can be converted to text. */
const unprintable = [
  Object.create(null),
  hostile,
  { toString: () => Promise.reject(Object.create(null)).catch(() => {}) },
];

test("returns a text for any thrown value", () => {
  for (const thrown of unprintable) expect(describe(thrown)).toMatch(/^a value that cannot be printed/);
  expect([describe("a"), describe(undefined), describe(Symbol("s"))]).toEqual([
    "a",
    "undefined",
    "Symbol(s)",
  ]);
  expect(describe(new Error("b"), "stack")).toContain("describe.test.ts");
});

test("logs unprintable errors of handlers, transforms and index functions, and continues", async () => {
  const at = createScriptedInformer([{ list: [configMap("a", "5"), configMap("b", "6")], version: "7" }], {
    watchList: false,
    transform() {
      throw Object.create(null);
    },
    indexers: {
      broken() {
        throw Object.create(null);
      },
    },
  });
  for (const thrown of unprintable) {
    at.informer.addEventHandler({
      added() {
        throw thrown;
      },
    });
    at.informer.addEventHandler({ added: () => Promise.reject(thrown) });
  }
  at.start();
  await at.settle();
  expect(at.informer.hasSynced()).toBe(true);
  expect(at.cache()).toEqual(["a@5", "b@6"]);
  expect(at.log.filter((line) => line.startsWith("a handler of configmaps failed: "))).toHaveLength(12);
});
