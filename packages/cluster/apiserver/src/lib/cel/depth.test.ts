import { describe, expect, test } from "vitest";
import { compileExpression } from "./environment.ts";
import { CelCompileError } from "./errors.ts";
import { dyn } from "./types.ts";

const compile = (expression: string) => compileExpression(expression, { variables: { x: dyn } });

/** Expressions with `count` operators, the outermost last. */
const chains: Record<string, (count: number) => string> = {
  sum: (count) => `1${"+1".repeat(count)}`,
  product: (count) => `1${"*1".repeat(count)}`,
  comparison: (count) => `x${"==x".repeat(count)}`,
  selection: (count) => `x${".a".repeat(count)}`,
  index: (count) => `x${"[0]".repeat(count)}`,
};

describe.each(Object.entries(chains))("a chain of type %s", (_name, chain) => {
  test("compiles 250 operators", () => {
    expect(compile(chain(250)).type).toBeDefined();
  });

  // The message of kube-apiserver 1.36.3.
  test.each([251, 260, 600, 30_000])("rejects %i operators", (count) => {
    expect(() => compile(chain(count))).toThrow(CelCompileError);
    expect(() => compile(chain(count))).toThrow("ERROR: <input>:-1:0: max recursion depth exceeded");
  });
});

test("compiles an expression that is long, but not deep", () => {
  expect(compile(`true${" && true".repeat(5_000)}`).evaluate({})).toBe(true);
  expect(compile(`${"!".repeat(1_000)}true`).evaluate({})).toBe(true);
  expect(compile(`size([${"1,".repeat(20_000)}1]) == 20001`).evaluate({})).toBe(true);
  expect(compile(`${"(".repeat(200)}1${"+1".repeat(200)} > 0${")".repeat(200)}`).evaluate({})).toBe(true);
});

describe("optMap", () => {
  const chain = (macro: string, count: number) =>
    `optional.of(1)${`.${macro}(a, ${macro === "optMap" ? "a" : "optional.of(a)"})`.repeat(count)}.hasValue()`;

  test.each([
    ["optMap", 3],
    ["optFlatMap", 3],
    ["optMap", 100],
    ["optFlatMap", 100],
  ])("%s returns the right value in a chain of %i", (macro, count) => {
    expect(compile(chain(macro, count)).evaluate({})).toBe(true);
  });

  test("uses its own value inside another one", () => {
    const nested = "optional.of(1).optMap(a, optional.of(a + 1).optMap(b, a * 10 + b).value() + a).value()";
    expect(compile(`${nested} == 13`).evaluate({})).toBe(true);
    expect(compile("optional.none().optMap(a, optional.of(a).optMap(b, b)).hasValue()").evaluate({})).toBe(
      false,
    );
  });
});
