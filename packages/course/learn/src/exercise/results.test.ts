import { expect, it } from "vitest";
import { explainResults, formatResults, type LearnerFile } from "./results.ts";

const own = { file: "src/service.ts", text: 'const a = 1;\nconst spec = { type: "ClusterIP", port: 80 };\n' };
const failed = { name: "balances", file: "p/a.test.ts", status: "failed", message: "" } as const;
const last = (more: object, file: LearnerFile = own) =>
  formatResults([{ ...failed, ...more }], file)
    .split("\n")
    .at(-1);

it("names the line in which the project's code failed", () => {
  expect(last({ place: { file: "src/a.ts", line: 7 }, changed: { key: "spec.port" } })).toBe(
    "    It fails at src/a.ts:7.",
  );
});

it("says that an error is missing, instead of a key of it", () => {
  const message = `Error: promise resolved "{}" instead of rejecting`;
  expect(last({ message, changed: { key: "message" } })).toBe(
    "    The test expects an error here, and there was none.",
  );
});

it("names the key that differs, and the line that has it", () => {
  expect(last({ changed: { key: "spec.port" } })).toBe(
    "    What the test got differs in spec.port: look at src/service.ts:2.",
  );
  expect(last({ changed: { key: "spec.name" } })).toBe(
    "    What the test got differs in spec.name, which src/service.ts does not name.",
  );
  expect(formatResults([{ ...failed, changed: { key: "spec.name" } }])).toContain(
    "What the test got differs in spec.name.",
  );
});

it("names lines of the learner's own, and none if there are many", () => {
  const starter = "function reconcile(name: string) {\n}\n";
  const file = (...written: string[]) => ({
    file: "src/reconcile.ts",
    text: `const name = "one";\nfunction reconcile(name: string) {\n${written.join("\n")}\n}\n`,
    starter,
  });
  const look = (...written: string[]) => last({ changed: { key: "metadata.name" } }, file(...written));
  expect(look("  patch({ metadata: { name: 1 } });")).toBe(
    "    What the test got differs in metadata.name: look at src/reconcile.ts:3.",
  );
  expect(look("  const own = name;", "", "  patch({ name: own });")).toContain("src/reconcile.ts:3 or 5.");
  expect(look(...Array.from({ length: 4 }, () => "  use(name);"))).toBe(
    "    What the test got differs in metadata.name.",
  );
  expect(look("  return;")).toContain("look at src/reconcile.ts:2.");
});

it("names the line that has the received value", () => {
  const message = 'expected …\nExpected: "LoadBalancer"\nReceived: "ClusterIP"';
  expect(last({ message })).toBe("    Look at src/service.ts:2.");
  expect(last({ message: "Expected values to be strictly equal:\n\n+ 'ClusterIP'\n- 'x'" })).toBe(
    "    Look at src/service.ts:2.",
  );
  expect(last({ message: 'Received: "None"' })).toBe('    Received: "None"');
});

it("looks for the word that differs in a text", () => {
  const own = { file: "src/service.ts", text: 'type Tool = 1;\nevent("NotInstaled");\n' };
  const message = "+ actual - expected\n\n  [\n+   'Tool: NotInstaled'\n-   'Tool: NotInstalled'\n  ]";
  expect(formatResults([{ ...failed, message }], own)).toContain("Look at src/service.ts:2.");
});

it("shows both values of a key if no line has it", () => {
  const changed = { key: "message", values: { expected: "'a typo'", received: "'no image'" } };
  const values = "yours is 'no image', and the test expects 'a typo'.";
  expect(last({ changed })).toBe(
    `    What the test got differs in message, which src/service.ts does not name: ${values}`,
  );
  expect(formatResults([{ ...failed, changed }])).toContain(
    `What the test got differs in message: ${values}`,
  );
});

it("looks at code, and not at comments", () => {
  const own = { file: "src/service.ts", text: "// The port of the Service.\nconst port = 80;\n" };
  expect(formatResults([{ ...failed, changed: { key: "spec.port" } }], own)).toContain(
    "look at src/service.ts:2.",
  );
});

it("expects no file to name a key that is data of the test", () => {
  const changed = { key: "shop/two", values: { expected: "'b'", received: "'a'" } };
  expect(last({ changed })).toBe(
    "    What the test got differs in shop/two: yours is 'a', and the test expects 'b'.",
  );
});

it("says that a result has a key too much", () => {
  const changed = { key: "undefined/undefined", isExtra: true } as const;
  expect(last({ changed })).toBe("    Your result has undefined/undefined, which the test does not expect.");
});

it("shows the line of the test that reads something undefined", () => {
  const line = { file: "a.test.ts", line: 7, text: "expect(metadata?.ownerReferences).toMatchObject([]);" };
  const said = `    The test reads it in line 7: ${line.text}`;
  expect(last({ line, message: "AssertionError: expected undefined to match object [ {} ]" })).toBe(said);
  expect(last({ line, message: "Expected values to be strictly equal:\n\nundefined !== 1" })).toBe(said);
  expect(last({ line, message: "1 !== 2" })).toBe("    1 !== 2");
});

it("gives a window the values, the place and the words of a failed test, and a shared reason once", () => {
  const values = { expected: "81", received: "80" };
  const message = "AssertionError: it differs";
  const result = { ...failed, message, changed: { key: "spec.port", values } };
  expect(explainResults([result, { ...result, name: "again" }], own)).toEqual([
    {
      ...{ ...failed, message },
      advice: ["What the test got differs in spec.port: look at src/service.ts:2."],
      values: { key: "spec.port", ...values },
      place: { file: "src/service.ts", line: 2 },
    },
    { ...failed, name: "again", advice: ['As "balances".'] },
  ]);
  const place = { file: "src/a.ts", line: 7 };
  expect(explainResults([{ ...failed, values, place }])).toMatchObject([{ values, place }]);
});

it("shows a reason that several tests share once", () => {
  const message = 'strict decoding error: unknown field "spec.colour"';
  const results = ["a", "b", "c"].map((name) => ({ ...failed, name, message }));
  expect(formatResults([...results, { ...failed, name: "d", message: "other" }])).toBe(
    `✗ a  p/a.test.ts\n    ${message}\n✗ b  p/a.test.ts\n    As "a".\n✗ c  p/a.test.ts\n    As "a".\n✗ d  p/a.test.ts\n    other`,
  );
});
