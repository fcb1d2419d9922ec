import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileJsonPath } from "./jsonpath.ts";

// The recorded Tables prove that these are the results of client-go (Gadget in recorded/objects.yaml).
const document = {
  spec: { size: 3, "a.b": "dotted", "it's": "quoted", list: [1, 2, 3, 4], zero: 0, nothing: null },
  conditions: [
    { type: "Ready", status: "True", n: 1 },
    { type: "Synced", status: "False", n: 2 },
  ],
};

describe("a JSONPath", () => {
  it.each([
    [".spec.size", [3]],
    ["spec.size", [3]],
    ["{.spec.size}", [3]],
    ["$.spec.size", [3]],
    ["['spec']['size']", [3]],
    ['.spec["size"]', [3]],
    [".spec.a\\.b", ["dotted"]],
    [".spec['a\\.b']", ["dotted"]],
    [".spec['it\\'s']", ["quoted"]],
    [".spec.missing.further", []],
    [".spec.size.further", []],
    [".spec.zero", [0]],
    [".spec.nothing", [null]],
    [".spec.list[0]", [1]],
    [".spec.list[-1]", [4]],
    [".spec.list[-2]", [3]],
    [".spec.list[4]", []],
    [".spec.list[1:3]", [2, 3]],
    [".spec.list[:2]", [1, 2]],
    [".spec.list[2:]", [3, 4]],
    [".spec.list[-3:-1]", [2, 3]],
    [".spec.list[0:4:2]", [1, 3]],
    [".spec.list[0,2]", [1, 3]],
    [".spec.list[*]", [1, 2, 3, 4]],
    [".conditions[*].type", ["Ready", "Synced"]],
    ["..type", ["Ready", "Synced"]],
    [".conditions[?(@.type=='Ready')].status", ["True"]],
    ['.conditions[?(@.type == "Synced")].status', ["False"]],
    ['.conditions[?(@.type!="Ready")].status', ["False"]],
    ["conditions[?(@.n>=2)].type", ["Synced"]],
    ["conditions[?(@.n<2)].type", ["Ready"]],
    ["conditions[?(@.missing)].type", []],
    ["conditions[?(@.type)].n", [1, 2]],
    ["conditions[?(@.type==']')].n", []],
    [".constructor", []],
    [".spec.__proto__", []],
  ])("%s selects %j", (path, values) => {
    expect(compileJsonPath(path)(document)).toEqual(values);
  });

  it.each([".spec[", ".spec[abc]", ".spec[?(@.a==b)]", ".spec[0:4:0]", ".a b", ".spec)", "{.a", ".spec['a]"])(
    "rejects %s, with the path in the message",
    (path) => {
      expect(() => compileJsonPath(path)).toThrow(JSON.stringify(path));
    },
  );

  it("never fails, in any document", () => {
    const paths = [".a.b", ".a[0]", ".a[-1].b", "..a", ".*", ".a[?(@.b==1)].c", "[1:9:2]", ".a[0,1]"];
    fc.assert(
      fc.property(fc.constantFrom(...paths), fc.jsonValue(), (path, value) => {
        expect(Array.isArray(compileJsonPath(path)(value as never))).toBe(true);
      }),
    );
  });

  it("parses any text or throws an Error", () => {
    const text = fc.string({ unit: fc.constantFrom(..."a.[]?(@)'\"\\*=:,0-1 {}$".split("")) });
    fc.assert(
      fc.property(text, (path) => {
        try {
          compileJsonPath(path)({ a: [1] });
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
          expect(String(error)).toContain("JSONPath");
        }
      }),
      { numRuns: 2000 },
    );
  });
});
