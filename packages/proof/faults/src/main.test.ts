import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createProgram } from "./command.ts";

function start(...args: string[]) {
  const main = join(import.meta.dirname, "main.ts");
  const child = spawn(process.execPath, ["--conditions=@operator-path/source", main, "faults", ...args]);
  onTestFinished(() => void child.kill("SIGKILL"));
  const screen = { text: "" };
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (screen.text += text));
  return { child, screen, exited: once(child, "close") };
}

test("a refusal is exit status 1", async () => {
  const { screen, exited } = start("--count", "0");
  expect(await exited).toEqual([1, null]);
  expect(screen.text).toContain("expected a whole number of at least 1");
});

test.each([
  [["--count=-3"], "expected a whole number of at least 1"],
  [["--only", "relist"], "--only needs --mutants"],
  [["--minutes", "5"], "--minutes needs --soak"],
  [["--pairs"], "--pairs needs --managers"],
  [["--objects", "5"], "--objects needs --soak or --steady"],
  [["--keep", "1"], "--keep needs --seed"],
])("rejects %j", async (args, message) => {
  const program = createProgram();
  let said = "";
  const writeErr = (text: string) => {
    said += text;
  };
  for (const command of [program, ...program.commands]) command.exitOverride().configureOutput({ writeErr });
  await expect(program.parseAsync(["faults", ...args], { from: "user" })).rejects.toMatchObject({
    exitCode: 1,
  });
  expect(said).toContain(message);
});

test("^C ends many histories and prints the results so far", async () => {
  const { child, screen, exited } = start("--count", "1000000");
  child.stdout.once("data", () => child.kill("SIGINT"));
  expect(await exited).toEqual([0, null]);
  expect(screen.text).toMatch(/^running 1000000 histories; .*\^C ends/);
  expect(screen.text).toMatch(/\nstopped: \d+ histories, 0 failed, /);
});
