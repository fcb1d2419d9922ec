import { execa } from "execa";
import { expect, test } from "vitest";
import { repositoryRoot } from "../repository.ts";

test.each(["0", "080", "65536", "http"])("`learn ui --port %s` names the ports that it accepts", async (port) => {
  const command = ["--conditions=@operator-path/source", "packages/course/learn/src/main.ts"];
  const { exitCode, stderr } = await execa(
    process.execPath,
    [...command, "ui", "--no-open", "--port", port],
    {
      cwd: repositoryRoot,
      reject: false,
    },
  );
  expect(exitCode).toBe(1);
  expect(stderr).toBe(`error: "${port}" is not a valid number for a port (expected 1 to 65535)`);
});
