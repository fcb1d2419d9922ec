import fc from "fast-check";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { formatGoYaml } from "./go-yaml.ts";

test("quotes strings that look like other types", () => {
  const texts = ["yes", "on", "n", "012", "0o7", "1:30", "1_000", "0x1F", "~", "null", "1e3", "="];
  for (const text of texts) expect(formatGoYaml({ a: text }), text).toBe(`a: "${text}"\n`);
  expect(formatGoYaml({ yes: 1 })).toBe('"yes": 1\n');
  expect(formatGoYaml({ tag: "1.16.0", host: "chart-example.local", path: "/" })).toBe(
    "tag: 1.16.0\nhost: chart-example.local\npath: /\n",
  );
});

test("writes text that YAML 1.1 and 1.2 parse to the same values", () => {
  // The key "<<" means a merge, which no values.yaml contains.
  const word = fc.oneof(
    fc.string().filter((text) => text !== "<<"),
    fc.constantFrom(
      "yes",
      "Off",
      "y",
      "0o17",
      "017",
      "1:30:00",
      "+.inf",
      "2001-01-01",
      "a\n\n",
      "=",
      "- a",
      "x: y #z",
    ),
  );
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3 },
      word,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      tie("list"),
      tie("table"),
    ),
    list: fc.array(tie("tree"), { maxLength: 3 }),
    table: fc.dictionary(word, tie("tree"), { maxKeys: 4, noNullPrototype: true }),
  }));
  fc.assert(
    fc.property(fc.dictionary(word, tree, { maxKeys: 4, noNullPrototype: true }), (values) => {
      const text = formatGoYaml({ spec: values }, { sorted: true });
      for (const version of ["1.1", "1.2"] as const) {
        expect(parse(text, { version, merge: false })).toEqual({ spec: values });
      }
    }),
    { numRuns: 300 },
  );
});
