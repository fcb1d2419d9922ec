import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";

// The image holds one file. The first version loads its kubeconfig with client-node, which brings all of its
// API classes. The second one loads it with ours.

test.each([
  ["podbuggertool", 4_500_000, true],
  ["podbuggertool-on-controller-runtime", 1_500_000, false],
] as const)("%s: less than %i bytes, with client-node: %s", async (name, limit, withClientNode) => {
  const out = mkdtempSync(join(tmpdir(), "bundle-"));
  onTestFinished(() => rmSync(out, { recursive: true, force: true }));
  const folder = join(import.meta.dirname, "..", name);
  const file = join(out, "main.js");
  const args = ["--bundle", "--platform=node", "--format=esm", "--conditions=@operator-path/source"];
  const esbuild = join(folder, "node_modules/.bin/esbuild");
  const to = [`--outfile=${file}`, `--metafile=${file}.json`];
  await promisify(execFile)(esbuild, ["src/main.ts", ...args, ...to], { cwd: folder });
  expect(statSync(file).size).toBeLessThan(limit);
  const { inputs } = JSON.parse(readFileSync(`${file}.json`, "utf8")) as { inputs: object };
  expect(Object.keys(inputs).some((path) => path.includes("client-node"))).toBe(withClientNode);
});

test.each(["podbuggertool", "podbuggertool-on-controller-runtime"])(
  "%s: an error of the image's program names a line of src",
  async (name) => {
    const out = mkdtempSync(join(tmpdir(), "bundle-"));
    onTestFinished(() => rmSync(out, { recursive: true, force: true }));
    const folder = join(import.meta.dirname, "..", name);
    const { scripts } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const bundle = `${scripts.bundle} --conditions=@operator-path/source --log-level=error`;
    const path = `${join(folder, "node_modules/.bin")}:${process.env.PATH}`;
    const sh = promisify(execFile);
    await sh("sh", ["-c", bundle.replace("dist/main.js", `${out}/main.mjs`)], {
      ...{ cwd: folder, env: { ...process.env, PATH: path } },
    });
    const [, options] =
      /^ENV NODE_OPTIONS=(.*)$/m.exec(readFileSync(join(folder, "Dockerfile"), "utf8")) ?? [];
    const env = {
      PATH: process.env.PATH,
      HOME: out,
      KUBECONFIG: join(out, "missing"),
      NODE_OPTIONS: options,
    };
    await expect(sh(process.execPath, [join(out, "main.mjs")], { env })).rejects.toMatchObject({
      stderr: expect.stringMatching(new RegExp(`${name}/src/main\\.ts:\\d+`)),
    });
  },
);
