import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { repositoryRoot } from "./repository.ts";

// The demo application is outside of the workspace, as a learner's would be, so its test is here.
const program = join(repositoryRoot, "tutorials/01-podbuggertool/payment/server.js");
let child: ChildProcess | undefined;
afterEach(() => void child?.kill("SIGKILL"));

it("answers its probe, and ends on SIGTERM, also as process 1", async () => {
  const server = spawn(process.execPath, [program], {
    env: { PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  child = server;
  const [line] = await once(server.stdout.setEncoding("utf8"), "data");
  const port = /^payment 1\.0\.0 is listening on port (\d+)\n$/.exec(line)?.[1];
  const answer = await fetch(`http://127.0.0.1:${port}/healthz`, { headers: { connection: "close" } });
  expect([answer.status, await answer.text()]).toEqual([200, "ok\n"]);
  expect((await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: "close" } })).status).toBe(404);
  server.kill("SIGTERM");
  expect(await once(server, "exit")).toEqual([0, null]);
});
