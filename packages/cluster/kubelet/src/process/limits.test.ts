import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { systemClock } from "@operator-path/client";
import { describe, expect, it, onTestFinished } from "vitest";
import { endFirst, watchMemory } from "./limits.ts";

const mebibyte = 1024 * 1024;

/** Starts a process whose large child was started by a thread other than the main one. */
async function startThreaded(): Promise<{ pid: number; child: number }> {
  const large = `globalThis.kept = Buffer.alloc(${192 * mebibyte}, 1); console.log(process.pid); setInterval(() => {}, 1e6)`;
  const thread = `
    const { spawn } = require("node:child_process");
    const child = spawn(process.execPath, ["--eval", ${JSON.stringify(large)}]);
    child.stdout.on("data", (line) => console.log(String(line)));
  `;
  const script = `new (require("node:worker_threads").Worker)(${JSON.stringify(thread)}, { eval: true })`;
  const parent = spawn(process.execPath, ["--eval", script], {
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(parent, "spawn");
  const { pid = 0 } = parent;
  onTestFinished(() => {
    process.kill(-pid, "SIGKILL");
  });
  const [line] = await once(parent.stdout, "data");
  return { pid, child: Number(line) };
}

describe.runIf(process.platform === "linux")("a child of a thread", () => {
  it("counts against the memory limit", async () => {
    const { pid } = await startThreaded();
    const end = new AbortController();
    const exceeded = new Promise<void>((resolve, reject) => {
      const watched = {
        pid,
        limit: 160 * mebibyte,
        clock: systemClock,
        signal: end.signal,
        exceeded: resolve,
      };
      watchMemory(watched).catch(reject);
    });
    onTestFinished(() => end.abort());
    await exceeded;
  });

  it("is killed first when the machine has no memory left", async () => {
    const { pid, child } = await startThreaded();
    endFirst(pid);
    const score = () => readFile(`/proc/${child}/oom_score_adj`, "utf8");
    await expect.poll(score).toBe("1000\n");
  });
});
