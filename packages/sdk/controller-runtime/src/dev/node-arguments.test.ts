import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { nodeArguments } from "./node-arguments.ts";

function project(manifest: object): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "node-arguments-")));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "src"));
  mkdirSync(join(folder, "node_modules/tsx"), { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  writeFileSync(join(folder, "node_modules/tsx/package.json"), JSON.stringify({ exports: "./loader.mjs" }));
  writeFileSync(join(folder, "node_modules/tsx/loader.mjs"), "");
  return folder;
}

test("runs a project on tsx if it uses tsx, otherwise on Node alone", () => {
  const withTsx = project({ devDependencies: { tsx: "4" } });
  const loader = pathToFileURL(join(withTsx, "node_modules/tsx/loader.mjs")).href;
  expect(nodeArguments(join(withTsx, "src/main.ts"), ["--conditions=x"])).toEqual([
    ...["--conditions=x", "--import", loader],
  ]);
  expect(nodeArguments(join(withTsx, "src/main.mjs"), [])).toEqual([]);
  expect(nodeArguments(join(withTsx, "src/main.ts"), ["--import", "tsx/esm"])).toEqual([
    "--import",
    "tsx/esm",
  ]);
  expect(nodeArguments(join(project({}), "src/main.ts"), [])).toEqual([]);
});

test("reports errors of the project", () => {
  const without = project({ dependencies: { tsx: "4" } });
  rmSync(join(without, "node_modules"), { recursive: true });
  expect(() => nodeArguments(join(without, "src/main.ts"), [])).toThrow(
    "package.json lists tsx, which is not installed",
  );
  writeFileSync(join(without, "package.json"), "{");
  expect(() => nodeArguments(join(without, "src/main.ts"), [])).toThrow(
    /package\.json cannot be read: .*JSON/,
  );
});
