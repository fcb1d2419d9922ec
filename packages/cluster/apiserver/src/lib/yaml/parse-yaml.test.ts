import { describe, expect, test } from "vitest";
import { parseYaml, YamlSyntaxError } from "./parse-yaml.ts";

describe("parseYaml", () => {
  test("reads YAML 1.1 like sigs.k8s.io/yaml", () => {
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

  test("reports duplicate keys with their line", () => {
    const { value, duplicates } = parseYaml("a: 1\nb:\n  c: 1\n  c: 2\na: 3\n");
    expect(value).toEqual({ a: 3, b: { c: 2 } });
    expect(duplicates).toEqual(['line 4: key "c" already set in map', 'line 5: key "a" already set in map']);
  });

  test("rejects anchors that multiply: a billion laughs", () => {
    const lines = ["a: &a [x, x, x, x, x, x, x, x, x]"];
    for (const [from, to] of ["ab", "bc", "cd", "de", "ef", "fg", "gh", "hi"]) {
      lines.push(`${to}: &${to} [${Array(9).fill(`*${from}`).join(", ")}]`);
    }
    expect(() => parseYaml(lines.join("\n"))).toThrow(YamlSyntaxError);
  });

  test("expands anchors that are used often", () => {
    const uses = Array.from({ length: 200 }, (_, index) => `  a${index}: *base`);
    const { value } = parseYaml(["base: &base {x: 1}", "uses:", ...uses].join("\n"));
    expect((value as { uses: object }).uses).toMatchObject({ a0: { x: 1 }, a199: { x: 1 } });
  });

  test("reads merge keys, tags and block text", () => {
    const text = "a: &a {x: 1, z: 2}\nb:\n  <<: *a\n  z: 3\nc: !!str 5\nd: |\n  one\n  two\ne: .5\n";
    expect(parseYaml(text).value).toEqual({
      a: { x: 1, z: 2 },
      b: { x: 1, z: 3 },
      c: "5",
      d: "one\ntwo\n",
      e: 0.5,
    });
  });

  test("treats __proto__ as data", () => {
    const { value } = parseYaml("__proto__: {polluted: true}\n");
    expect(Object.keys(value as object)).toEqual(["__proto__"]);
    expect((value as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test.each(["a: [b", "a: b: c", "\t- x", "a: *nope"])("rejects %j", (text) => {
    expect(() => parseYaml(text)).toThrow(/^yaml: /);
  });
});
