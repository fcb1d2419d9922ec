import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { killMarked } from "./leftovers.ts";

it.runIf(process.platform === "linux")("kills what has the mark, and nothing else", async () => {
  const start = (env: Record<string, string>) =>
    spawn("/bin/sleep", ["1000"], { detached: true, stdio: "ignore", env });
  const mark = `/pods/${process.pid}/root`;
  const [one, other] = [
    start({ A: "1", OPERATOR_PATH_ROOT: mark }),
    start({ OPERATOR_PATH_ROOT: `${mark}2` }),
  ];
  await Promise.all([once(one, "spawn"), once(other, "spawn")]);
  const ended = once(one, "exit");
  await killMarked(`OPERATOR_PATH_ROOT=${mark}`);
  expect((await ended)[1]).toBe("SIGKILL");
  expect([other.exitCode, other.signalCode]).toEqual([null, null]);
  other.kill("SIGKILL");
});
