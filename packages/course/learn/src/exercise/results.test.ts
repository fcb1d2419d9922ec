import { expect, it } from "vitest";
import { formatResults } from "./results.ts";

const own = { file: "src/service.ts", text: 'const a = 1;\nconst spec = { type: "ClusterIP", port: 80 };\n' };
const failed = { name: "balances", file: "p/a.test.ts", status: "failed", message: "" } as const;
const last = (more: object, file: typeof own | undefined = own) =>
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

it("names the line that has the received value", () => {
  const message = 'expected …\nExpected: "LoadBalancer"\nReceived: "ClusterIP"';
  expect(last({ message })).toBe("    Look at src/service.ts:2.");
  expect(last({ message: "Expected values to be strictly equal:\n\n+ 'ClusterIP'\n- 'x'" })).toBe(
    "    Look at src/service.ts:2.",
  );
  expect(last({ message: 'Received: "None"' })).toBe('    Received: "None"');
});
