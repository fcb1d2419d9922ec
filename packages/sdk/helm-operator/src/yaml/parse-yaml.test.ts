import { expect, it } from "vitest";
import { parseYamlDocuments, YamlError } from "./parse-yaml.ts";

const valuesOf = (text: string) => parseYamlDocuments(text).map(({ value }) => value);

it("reads YAML 1.1 without dates and base 60 numbers", () => {
  expect(
    valuesOf("{a: yes, b: Off, c: 012, d: 1:30, e: 2026-01-02, f: ~, g: 0x1F, h: 1_000, 5: x, y: n}"),
  ).toEqual([
    { a: true, b: false, c: 10, d: "1:30", e: "2026-01-02", f: null, g: 31, h: 1000, "5": "x", true: false },
  ]);
});

it("reads several documents, some of them empty, and an empty text", () => {
  expect(valuesOf("a: 1\n---\n---\n- b\n")).toEqual([{ a: 1 }, null, ["b"]]);
  expect(valuesOf("")).toEqual([]);
});

it("merges what << names", () => {
  expect(valuesOf("x: &x {a: 1}\nz: {<<: *x, b: 2}\n")).toEqual([{ x: { a: 1 }, z: { a: 1, b: 2 } }]);
});

it("keeps __proto__ as data, even where it is merged", () => {
  const [value] = valuesOf("__proto__: {a: 1}\nx: &x {__proto__: 2}\nz: {<<: *x}\n");
  expect(JSON.stringify(value)).toBe('{"__proto__":{"a":1},"x":{"__proto__":2},"z":{"__proto__":2}}');
});

it("returns the line of a field, or of its closest parent", () => {
  const [, document] = parseYamlDocuments("a: 1\n---\nb:\n  - c: 1\n    d: 2\n");
  expect(document?.lineOf(["b", 0, "d"])).toBe(5);
  expect(document?.lineOf(["b", 0, "missing", "deeper"])).toBe(4);
  expect(document?.lineOf([])).toBe(3);
});

it.each([
  ["a: [", 1, "Flow sequence"],
  ["a: 1\nb: 2\na: 3\n", 3, "Map keys must be unique"],
  ["a: 1\n\tb: 2\n", 2, "Tabs are not allowed"],
  ["a: .nan\n", 1, "NaN is not a JSON number"],
  ["a: &a {b: *a}\n", 1, "the value of an anchor contains itself"],
  ["a: *missing\n", 1, "Unresolved alias"],
  [`${"- ".repeat(2_000)}x`, 1, "nested too deeply"],
])("rejects %j", (text, line, message) => {
  try {
    parseYamlDocuments(text);
  } catch (error) {
    expect(error).toBeInstanceOf(YamlError);
    expect(error).toMatchObject({ line, message: expect.stringContaining(message) });
    return;
  }
  expect.unreachable();
});

it("takes the last of duplicate keys when asked to", () => {
  expect(parseYamlDocuments("a: 1\na: 2\n", { uniqueKeys: false })[0]?.value).toEqual({ a: 2 });
});
