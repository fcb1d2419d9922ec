import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { startRealControlPlane } from "@operator-path/cluster/real-control-plane";
import type { ControlPlane } from "@operator-path/tools";

/** An API server under load, in processes of its own. */
export interface Subject {
  readonly name: string;
  readonly port: number;
  readonly token: string;
  /** Bytes resident in all of its processes (Linux). */
  memory(): Promise<number>;
  stop(): Promise<void>;
}

export async function startEmbedded(): Promise<Subject> {
  const program = fileURLToPath(new URL("serve.ts", import.meta.url));
  const child: ChildProcess = fork(program, [], {
    execArgv: ["--conditions=@operator-path/source"],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const exited = once(child, "exit");
  const [ready] = (await Promise.race([
    once(child, "message"),
    exited.then(([code]) => Promise.reject(new Error(`the embedded server ended with ${code}`))),
  ])) as [{ port: number; token: string }];
  return {
    name: "embedded",
    ...ready,
    memory: () => residentBytes(child.pid ?? 0),
    async stop() {
      child.kill();
      await exited;
    },
  };
}

/** etcd counts too: kube-apiserver cannot run without it. */
export async function startReal(programs: ControlPlane): Promise<Subject> {
  const { port, token, pids, stop } = await startRealControlPlane({ programs });
  return {
    name: "kube-apiserver + etcd",
    port,
    token,
    async memory() {
      const all = await Promise.all(Object.values(pids).map(residentBytes));
      return all.reduce((sum, bytes) => sum + bytes, 0);
    },
    stop,
  };
}

async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? Number.NaN) * 1024;
}
