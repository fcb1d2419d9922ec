import { execa } from "execa";
import { expect, test } from "vitest";
import { repositoryRoot } from "../repository.ts";

const main = ["--conditions=@operator-path/source", "packages/course/learn/src/main.ts"];

test.each(["0", "080", "65536", "http"])("`learn ui --port %s` names the valid ports", async (port) => {
  const args = [...main, "ui", "--no-open", "--port", port];
  const { exitCode, stderr } = await execa(process.execPath, args, { cwd: repositoryRoot, reject: false });
  expect(exitCode).toBe(1);
  expect(stderr).toBe(`error: "${port}" is not a valid number for a port (expected 1 to 65535)`);
});
