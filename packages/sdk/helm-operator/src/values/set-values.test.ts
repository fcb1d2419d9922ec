import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isJsonObject, type JsonObject, type JsonValue, own } from "../json.ts";
import { overrideValues, setValues, ValuesError } from "./set-values.ts";

// real-helm.slow.test.ts compares the lines with helm. These tests cover what helm does not promise.

const name = fc.constantFrom("a", "b", "image", "__proto__", "constructor", "toString");
const path = fc.array(name, { minLength: 1, maxLength: 4 });
const values = fc.dictionary(fc.string({ maxLength: 3 }), fc.jsonValue()) as fc.Arbitrary<JsonObject>;

function at(object: JsonObject, names: readonly string[]): JsonValue | undefined {
  return names.reduce<JsonValue | undefined>(
    (value, key) => (isJsonObject(value) ? own(value, key) : undefined),
    object,
  );
}

describe("setValues", () => {
  it("sets any text at any path, with backslashes before special characters", () => {
    fc.assert(
      fc.property(path, fc.string({ unit: "grapheme" }), (names, text) => {
        // The word in front keeps the text from being a number, true, null, or the end of the line.
        const escaped = `text ${text}`.replace(/[\\,]/g, "\\$&");
        expect(at(setValues({}, `${names.join(".")}=${escaped}`), names)).toBe(`text ${text}`);
      }),
    );
  });

  it("does not change its argument, even when it fails", () => {
    fc.assert(
      fc.property(values, fc.string({ unit: fc.constantFrom(..."ab.=,[]{}01\\") }), (given, line) => {
        const before = JSON.stringify(given);
        try {
          setValues(given, line);
        } catch (error) {
          expect(error).toBeInstanceOf(ValuesError);
        }
        expect(JSON.stringify(given)).toBe(before);
      }),
      { numRuns: 500 },
    );
  });

  it("does not change what objects inherit", () => {
    const lines = [
      "__proto__.polluted=true",
      "constructor.prototype.polluted=true",
      "a[0].__proto__.polluted=true",
    ];
    for (const line of lines) setValues({ a: [{}] }, line);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect(JSON.stringify(setValues({}, "__proto__.a=1"))).toBe('{"__proto__":{"a":1}}');
  });

  it.each([
    ["a", 'key "a" has no value: write a=VALUE'],
    ["a,b=1", 'key "a" has no value (write a literal comma as \\,)'],
    ["a.=1", 'no key follows "a" and its dot'],
    ["a[x]=1", '"x" is not an index: write a whole number from 0'],
    ["a[-1]=1", '"-1" is not an index'],
    ["a[65537]=1", "index 65537 is beyond 65536"],
    ["a[0=1", 'the bracket before "0=1" is not closed'],
    ["a[0]b=1", '"b" follows [0], where only "=", "." or "[" may'],
    ["a={1,2", "its list is not closed: } is missing"],
    ["text.b=1", '"text" is "x", not a table: a path cannot go on through it'],
    ["list.b=1", '"list" is a list, not a table'],
    ["table[0]=1", '"table" is a table, not a list'],
    ["none.b=1", '"none" is null and cannot contain anything'],
    ["list[0][0]=1", "[0] is 1, not a list"],
    ["a=9007199254740993", "9007199254740993 is beyond 2^53"],
    [`${"a.".repeat(31)}b=1`, "its path goes through more than 30 tables"],
    [`a${"[0]".repeat(50_000)}=1`, "its path goes through too many lists"],
  ])("rejects %j", (line, message) => {
    const given = { text: "x", list: [1], table: {}, none: null };
    expect(() => setValues(given, line)).toThrow(ValuesError);
    expect(() => setValues(given, line)).toThrow(message);
  });

  it("keeps a number of a million digits as text", () => {
    const digits = "9".repeat(1_000_000);
    expect(setValues({}, `a=${digits}`)).toEqual({ a: digits });
  });
});

describe("overrideValues", () => {
  it("applies one after the other to the existing values", () => {
    const given = { image: { repository: "memcached", tag: "1.5" }, args: ["-v"] };
    const overrides = { "image.tag": "1\\,6", "args[1]": "-m 64", "image.pull": "true,extra=1" };
    expect(overrideValues(given, overrides)).toEqual({
      image: { repository: "memcached", tag: "1,6", pull: true },
      args: ["-v", "-m 64"],
      extra: 1,
    });
    expect(given.image.tag).toBe("1.5");
  });

  it("names the invalid override, and not its value", () => {
    const overrides = { "image.tag": "1", "a.b[x]": "hunter2" };
    expect(() => overrideValues({}, overrides)).toThrow('overrideValues "a.b[x]": "x" is not an index');
    expect(() => overrideValues({ a: 1 }, { "a.b": "hunter2" })).toThrow(
      /^(?!.*hunter2).*overrideValues "a.b"/,
    );
  });
});
