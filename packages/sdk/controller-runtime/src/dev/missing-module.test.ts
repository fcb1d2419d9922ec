import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { withTypeScriptName } from "./missing-module.ts";

test.each(["./deployment", "./deployment.js"])("names the .ts file that %s means", (specifier) => {
  const { message, stack } = errorOf(specifier);
  expect(message).toMatch(/^Cannot find module. In .*main\.ts, write "\.\/deployment\.ts": Node runs /);
  // Node prints the stack.
  expect(stack).toContain(message);
});

test.each(["./other.js", "deployment", "deployment.js"])("adds nothing for %s", (specifier) => {
  expect(errorOf(specifier).message).toBe("Cannot find module");
});

test("adds nothing to another error", () => {
  expect(errorOf("./deployment", "ERR_INVALID_MODULE_SPECIFIER").message).toBe("Cannot find module");
});

function errorOf(specifier: string, code = "ERR_MODULE_NOT_FOUND"): Error {
  const folder = mkdtempSync(join(tmpdir(), "missing-module-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "deployment.ts"), "");
  const error = Object.assign(new Error("Cannot find module"), { code });
  return withTypeScriptName(error, specifier, pathToFileURL(join(folder, "main.ts")).href) as Error;
}
