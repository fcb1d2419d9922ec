import { once } from "node:events";
import { createServer } from "node:net";
import { execa } from "execa";
import { expect, test } from "vitest";
import { repositoryRoot } from "../repository.ts";
import { openHome } from "../testing/home.ts";

const main = ["--conditions=@operator-path/source", "packages/course/learn/src/main.ts"];

test.each(["0", "080", "65536", "http"])("`learn ui --port %s` names the valid ports", async (port) => {
  const args = [...main, "ui", "--no-open", "--port", port];
  const { exitCode, stderr } = await execa(process.execPath, args, { cwd: repositoryRoot, reject: false });
  expect(exitCode).toBe(1);
  expect(stderr).toBe(`error: "${port}" is not a valid number for a port (expected 1 to 65535)`);
});

test("`learn ui --port` says that another program has the port, and what to do", async () => {
  await using undo = new AsyncDisposableStack();
  const home = await openHome();
  undo.defer(() => home.remove());
  const server = createServer().listen(0, "127.0.0.1");
  undo.defer(() => void server.close());
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  const env = { OPERATOR_PATH_WORK: home.work };
  const args = [...main, "ui", "01-podbuggertool/1", "--no-open", "--port", `${port}`];
  const options = { cwd: repositoryRoot, reject: false, env };
  const { exitCode, stderr } = await execa(process.execPath, args, options);
  expect(exitCode).toBe(1);
  expect(stderr).toBe(
    `error: port ${port} on 127.0.0.1 is taken: choose another one, or leave out --port for a free one`,
  );
});
