import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { expect, it, onTestFinished } from "vitest";
import { pnpmCommand, pnpmVariable } from "./pnpm-command.ts";

it("names npx if only npx brings pnpm, and pnpm if the person has it", async () => {
  const home = await mkdtemp(join(tmpdir(), "pnpm-command-"));
  onTestFinished(() => rm(home, { recursive: true }));
  const ofNpx = join(home, "_npx/1/node_modules/.bin");
  const own = join(home, "bin");
  for (const folder of [ofNpx, own]) {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "pnpm"), "#!/bin/sh\n", { mode: 0o755 });
  }
  expect(await pnpmCommand({ PATH: ofNpx })).toBe("npx --yes pnpm@12");
  expect(await pnpmCommand({ PATH: `${ofNpx}:${own}` })).toBe("pnpm");
  expect(await pnpmCommand({})).toBe("npx --yes pnpm@12");
});

it.each([
  [
    "exercise",
    { [pnpmVariable]: "npx --yes pnpm@12" },
    "npx --yes pnpm@12 exercise [exercise] [action] [number]",
  ],
  [
    "exercise",
    { EXERCISE_COMMAND: "exercise", LEARN_COMMAND: "learn" },
    "exercise [exercise] [action] [number]",
  ],
  ["check", { LEARN_COMMAND: "learn" }, "check [options] [step]"],
  ["diff", { LEARN_COMMAND: "learn" }, "learn diff [options] [file]"],
  ["catch-up", { [pnpmVariable]: "pnpm" }, "pnpm learn catch-up [options] [step]"],
])("is in the usage of %s with %j", async (command, env, usage) => {
  const words = (text: string) => text.replaceAll(" [options]", "");
  expect(words((await learn([command, "--frob"], env)).stderr)).toBe(
    `error: unknown option '--frob'; usage: ${words(usage)}`,
  );
  expect(words((await learn([command, "--help"], env)).stdout)).toContain(`Usage: ${words(usage)}\n`);
});

it("leaves no line of the help too wide for 80 columns", async () => {
  const { stdout } = await learn(["--help"], { [pnpmVariable]: "npx --yes pnpm@12" });
  expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
  expect(stdout).toContain("catch-up");
});

const main = new URL("main.ts", import.meta.url).pathname;

function learn(args: string[], env: Record<string, string>) {
  const command = ["--conditions=@operator-path/source", main, ...args];
  return execa(process.execPath, command, { env, reject: false });
}
