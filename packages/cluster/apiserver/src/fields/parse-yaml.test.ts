import { describe, expect, test } from "vitest";
import { parseYaml, YamlSyntaxError } from "./parse-yaml.ts";

describe("parseYaml", () => {
  test("reads YAML 1.1 as sigs.k8s.io/yaml does", () => {
    const { value } = parseYaml("yes: on\noctal: 012\ntime: 12:30:45\ndate: 2020-01-01\nnothing: ~\n1: x\n");
    expect(value).toEqual({
      true: true,
      octal: 10,
      time: "12:30:45",
      date: "2020-01-01",
      nothing: null,
      1: "x",
    });
  });

  test("repeated keys have their line", () => {
    const { value, duplicates } = parseYaml("a: 1\nb:\n  c: 1\n  c: 2\na: 3\n");
    expect(value).toEqual({ a: 3, b: { c: 2 } });
    expect(duplicates).toEqual(['line 4: key "c" already set in map', 'line 5: key "a" already set in map']);
  });

  test("anchors that multiply are refused: a billion laughs", () => {
    const lines = ["a: &a [x, x, x, x, x, x, x, x, x]"];
    for (const [from, to] of ["ab", "bc", "cd", "de", "ef", "fg", "gh", "hi"]) {
      lines.push(`${to}: &${to} [${Array(9).fill(`*${from}`).join(", ")}]`);
    }
    expect(() => parseYaml(lines.join("\n"))).toThrow(YamlSyntaxError);
  });

  test("__proto__ is data", () => {
    const { value } = parseYaml("__proto__: {polluted: true}\n");
    expect(Object.keys(value as object)).toEqual(["__proto__"]);
    expect((value as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test.each(["a: [b", "a: b: c", "\t- x", "a: *nope"])("%j is refused", (text) => {
    expect(() => parseYaml(text)).toThrow(/^yaml: /);
  });
});
