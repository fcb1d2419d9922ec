import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { killMarked, startSupervisor } from "./supervisor.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "supervisor-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A process that ignores every signal but SIGKILL, and its child. */
const stubborn = `trap '' TERM HUP INT; sleep 1000 & echo $! > "$1"; wait; wait; wait`;

/** Whether the process runs. A zombie does not: in a container, no process may be there to reap it. */
function alive(pid: number): boolean {
  try {
    return !/^\d+ \([^)]*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(10);
}

/** Starts a process with a supervisor. It starts a stubborn process and waits. */
async function parent(): Promise<{ child: ChildProcess; pids: number[] }> {
  const supervised = join(folder, "pods", "1");
  mkdirSync(supervised, { recursive: true });
  writeFileSync(join(supervised, "secret"), "x");
  const program = `
    import { spawn } from "node:child_process";
    import { startSupervisor } from ${JSON.stringify(new URL("supervisor.ts", import.meta.url).href)};
    const supervisor = startSupervisor(process.env.SUPERVISED);
    const child = spawn("/bin/sh", ["-c", ${JSON.stringify(stubborn)}, "sh", process.env.PID_FILE], { detached: true, stdio: "ignore" });
    supervisor.watch(child.pid);
    process.stdout.write(String(child.pid));
    setInterval(() => undefined, 1000);`;
  const pidFile = join(folder, "pid");
  const child = spawn(process.execPath, ["--input-type=module-typescript", "--eval", program], {
    env: { ...process.env, SUPERVISED: supervised, PID_FILE: pidFile },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [text] = await once(child.stdout as NonNullable<typeof child.stdout>, "data");
  await until(() => existsSync(pidFile) && readFileSync(pidFile, "utf8").endsWith("\n"));
  return { child, pids: [Number(text), Number(readFileSync(pidFile, "utf8"))] };
}

it("ends whole process groups and removes the folder when its owner is killed with -9", async () => {
  const { child, pids } = await parent();
  expect(pids.map(alive)).toEqual([true, true]);
  child.kill("SIGKILL");
  await until(() => !pids.some(alive));
  await until(() => !existsSync(join(folder, "pods")));
});

it("releases groups that have ended, and restarts when it is killed itself", async () => {
  const supervisor = startSupervisor(join(folder, "pods", "2"));
  const start = () => spawn("/bin/sh", ["-c", "sleep 1000"], { detached: true, stdio: "ignore" });
  const [one, two] = [start(), start()];
  const release = supervisor.watch(one.pid as number);
  supervisor.watch(two.pid as number);
  const killed = supervisor.pid as number;
  process.kill(killed, "SIGKILL");
  await until(() => supervisor.pid !== killed);
  release();
  // The supervisor no longer watches this pid. The others stay on its list.
  release();
  await supervisor.stop();
  await until(() => !alive(two.pid as number));
  expect(alive(one.pid as number)).toBe(true);
  one.kill("SIGKILL");
});

it.runIf(process.platform === "linux")("kills processes with the mark, and no others", async () => {
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
