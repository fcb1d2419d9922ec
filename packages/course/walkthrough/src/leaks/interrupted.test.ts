import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { type TemporaryPage, temporaryPage } from "../testing/temporary-page.ts";
import { markedProcesses, sweep } from "./processes.ts";

// Two terminals, one with a server, and a process that detached from its terminal.
const busy = `
## S
~~~console terminal=server running
$ node -e 'require("node:net").createServer().listen(0, "127.0.0.1", () => console.log("listening"))'
listening
~~~
~~~console
$ nohup sleep 299 >/dev/null 2>&1 &
...
$ echo "at it" && sleep 300
~~~
`;

/**
 * Starts a runner in its own process. Resolves with the marker of its processes once the page runs its last
 * command.
 */
async function startRunner(tutorial: TemporaryPage) {
  const script = fileURLToPath(new URL("../testing/run-page-main.ts", import.meta.url));
  const child = spawn(
    process.execPath,
    ["--conditions=@operator-path/source", script, tutorial.page.path, tutorial.runs],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  let output = "";
  for await (const chunk of child.stdout) {
    output += String(chunk);
    if (output.includes("sleep 300\n") && output.includes("at it")) break;
  }
  const marker = /operator-path-run-([^-]+)/.exec(readdirSync(tutorial.runs).join())?.[1] ?? "";
  await expect.poll(() => markedProcesses(marker).length).toBeGreaterThanOrEqual(5);
  return { child, marker };
}

test("Ctrl+C during a run leaves no process, port or file", async () => {
  using tutorial = temporaryPage(busy);
  const { child, marker } = await startRunner(tutorial);
  const exited = once(child, "exit");
  child.kill("SIGINT");
  await exited;
  expect(markedProcesses(marker)).toEqual([]);
  expect(readdirSync(tutorial.runs)).toEqual([]);
});

test("after kill -9 of the runner the terminals end, and the next run ends the rest and removes the folder", async () => {
  using tutorial = temporaryPage(busy);
  const { child, marker } = await startRunner(tutorial);
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
  // The detached process remains, unless another run on this machine has ended it already.
  await expect
    .poll(() => markedProcesses(marker).filter(({ command }) => command !== "sleep 299"))
    .toEqual([]);
  expect(readdirSync(tutorial.runs)).toHaveLength(1);
  await sweep(tutorial.runs);
  await expect.poll(() => markedProcesses(marker)).toEqual([]);
  expect(readdirSync(tutorial.runs)).toEqual([]);
});
