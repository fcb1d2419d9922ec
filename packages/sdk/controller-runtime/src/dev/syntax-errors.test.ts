import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { syntaxErrorOf } from "./syntax-errors.ts";

test.each([
  ["a.ts", "const a = 1;\nfoo(\n", "Expression expected at src/a.ts:2"],
  ["a.mts", "export {", "Expected "],
])("reports the line of the error in %s with %j", (name, text, message) => {
  expect(errorOf(name, text)).toContain(message);
});

test.each([
  ["types", "a.ts", "const a: number = 'no number';"],
  ["syntax that needs a transform", "a.ts", "enum Colour { red }\nnamespace A { export const x = 1 }"],
  ["decorators", "a.ts", "class A { constructor(@inject() private a: string) {} }"],
  ["JSX", "a.tsx", "const a = <div/>;"],
  ["JavaScript", "a.js", "foo("],
  ["a missing file", "a.ts", undefined],
])("reports no error for %s", (_, name, text) => {
  expect(errorOf(name, text)).toBeUndefined();
});

function errorOf(name: string, text: string | undefined): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), "syntax-errors-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  if (text !== undefined) writeFileSync(join(folder, name), text);
  return syntaxErrorOf(join(folder, name), `src/${name}`);
}
