import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { requireNode } from "./run-bin.ts";

/** Runs the bin of a package with these `engines`. */
async function runPackage(engines: string) {
  const folder = mkdtempSync(join(tmpdir(), "run-bin-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "bin"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module", engines: { node: engines } }));
  writeFileSync(join(folder, "program.js"), "console.log('runs');");
  writeFileSync(
    join(folder, "bin/example.js"),
    `import { runBin } from ${JSON.stringify(new URL("run-bin.ts", import.meta.url).href)};
    await runBin(import.meta.url, () => import("../program.js"));`,
  );
  const ended = promisify(execFile)(process.execPath, [join(folder, "bin/example.js")]);
  return ended.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
      code,
      stdout,
      stderr,
    }),
  );
}

test("runs the program on a Node that is new enough", async () => {
  expect(await runPackage(">=22.19")).toEqual({ code: 0, stdout: "runs\n", stderr: "" });
});

test("rejects an older Node in one line, and loads nothing", async () => {
  expect(await runPackage(">=99.1")).toEqual({
    ...{ code: 1, stdout: "" },
    stderr: `error: example needs Node 99.1 or newer, and this is Node ${process.versions.node}: install a newer one, or run \`npm install node@99\` in this folder and start the command with npx\n`,
  });
});

test.each(["22.19.0", "22.20.1", "24.0.0", "26.10.0"])(
  "accepts Node %s if the package needs 22.19",
  (running) => {
    expect(() => requireNode("@operator-path/client", "22.19", running)).not.toThrow();
  },
);

test.each(["22.18.9", "20.20.2", "21.99.0"])("rejects Node %s if the package needs 22.19", (running) => {
  expect(() => requireNode("@operator-path/client", "22.19", running)).toThrow(
    `@operator-path/client needs Node 22.19 or newer, and this is Node ${running}`,
  );
});
