import { expect, it } from "vitest";
import { formatResults, type LearnerFile } from "./results.ts";

const own = { file: "src/service.ts", text: 'const a = 1;\nconst spec = { type: "ClusterIP", port: 80 };\n' };
const failed = { name: "balances", file: "p/a.test.ts", status: "failed", message: "" } as const;
const last = (more: object, file: LearnerFile = own) =>
  formatResults([{ ...failed, ...more }], file)
    .split("\n")
    .at(-1);

it("names the line in which the project's code failed", () => {
  expect(last({ place: { file: "src/a.ts", line: 7 }, key: "spec.port" })).toBe(
    "    It fails at src/a.ts:7.",
  );
});

it("names the key that differs, and the line that has it", () => {
  expect(last({ key: "spec.port" })).toBe("    It differs in spec.port: look at src/service.ts:2.");
  expect(last({ key: "spec.name" })).toBe("    It differs in spec.name, which src/service.ts does not name.");
  expect(formatResults([{ ...failed, key: "spec.name" }])).toContain("It differs in spec.name.");
});

it("names lines of the learner's own, and none if there are many", () => {
  const starter = "function reconcile(name: string) {\n}\n";
  const file = (...written: string[]) => ({
    file: "src/reconcile.ts",
    text: `const name = "one";\nfunction reconcile(name: string) {\n${written.join("\n")}\n}\n`,
    starter,
  });
  const look = (...written: string[]) => last({ key: "metadata.name" }, file(...written));
  expect(look("  patch({ metadata: { name: 1 } });")).toBe(
    "    It differs in metadata.name: look at src/reconcile.ts:3.",
  );
  expect(look("  const own = name;", "", "  patch({ name: own });")).toContain("src/reconcile.ts:3 or 5.");
  expect(look(...Array.from({ length: 4 }, () => "  use(name);"))).toBe("    It differs in metadata.name.");
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
