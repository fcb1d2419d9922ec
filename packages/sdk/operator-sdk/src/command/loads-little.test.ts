import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const main = join(import.meta.dirname, "../main.ts");

/** Returns the packages of the sdk that a command has loaded when it ends. */
function loadedBy(args: readonly string[]): string[] {
  const cwd = mkdtempSync(join(tmpdir(), "loads-little-"));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  const hook = `import { registerHooks } from "node:module";
    const found = new Set();
    registerHooks({ load(url, context, next) {
      found.add(/packages\\/sdk\\/([^/]+)\\/src\\//.exec(url)?.[1]);
      return next(url, context);
    } });
    process.on("exit", () => process.stderr.write("\\nloaded: " + [...found].filter(Boolean).join()));`;
  const flags = ["--conditions=@operator-path/source", "--import", `data:text/javascript,${encodeURI(hook)}`];
  const { stderr } = spawnSync(process.execPath, [...flags, main, ...args], { cwd, encoding: "utf8" });
  return /\nloaded: (.*)$/.exec(stderr)?.[1]?.split(",").sort() ?? [];
}

const kind = ["--group=cache", "--version=v1", "--kind=Memcached"];

test.each([
  ["version", ["version"], ["operator-sdk"]],
  ["generate", ["generate"], ["controller-gen", "operator-sdk"]],
  ["create api", ["create", "api", ...kind], ["controller-gen", "operator-sdk"]],
  ["edit", ["edit", "--image=controller=a:b"], ["operator-sdk"]],
])("%s does not load the libraries of operators, which take half a second", (_name, args, packages) => {
  expect(loadedBy(args)).toEqual(packages);
});

test("a kind with a chart loads helm-operator", () => {
  const args = ["create", "api", "--plugins=helm.sdk.operatorframework.io/v1", ...kind];
  expect(loadedBy(args)).toContain("helm-operator");
});
