import { type ChildProcess, spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { findTool } from "@operator-path/tools";
import { execa } from "execa";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { startEmbeddedCluster } from "../embedded/start.ts";
import { type Attack, attacks, type Targets } from "../testing/attacks.ts";
import { type ImageBench, startImageBench } from "../testing/image-bench.ts";
import { until } from "../testing/process.ts";

// Each attack is a process of its own, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const secret = "SECRET-OF-THIS-MACHINE";
const mark = `86400.${process.pid}`;

let outside: string;
let targets: Targets;
let victim: ChildProcess;
let unix: Server;
let tcp: Server;
const udp = createSocket("udp4");
/** Connections and datagrams that reached this machine's servers. */
let reached: string[] = [];
/** What lies in the folder that no Pod may write to. */
let before: string[];

beforeAll(async () => {
  outside = await mkdtemp(join(tmpdir(), "outside-"));
  await writeFile(join(outside, "secret.txt"), secret);
  await writeFile(join(outside, "secret.env"), `SECRET=${secret}\n`);
  await writeFile(join(outside, "secret.json"), JSON.stringify({ secret }));
  const database = new DatabaseSync(join(outside, "secret.db"));
  database.exec(`CREATE TABLE secrets(text); INSERT INTO secrets VALUES ('${secret}')`);
  database.close();
  const server = (name: string) =>
    createServer((socket) => {
      reached.push(name);
      socket.destroy();
    });
  unix = server("Unix socket").listen(join(outside, "s"));
  tcp = server("TCP").listen(0, "127.0.0.1");
  await once(tcp, "listening");
  const { port } = tcp.address() as { port: number };
  udp.on("message", () => void reached.push("UDP")).bind(port, "127.0.0.1");
  before = (await readdir(outside)).sort();
  targets = { outside, kubeconfig: "", unixSocket: join(outside, "s"), port, pid: 0, mark };
});
afterAll(async () => {
  victim?.kill("SIGKILL");
  for (const server of [unix, tcp, udp]) server?.close();
  await rm(outside, { recursive: true, force: true });
});

/** A program of this user that no Pod may look into or signal. */
function startVictim(): void {
  if (victim?.exitCode === null && victim.signalCode === null) return;
  victim = spawn("/bin/sleep", ["100000"], { env: { SECRET: secret }, stdio: "ignore" });
}

/** Processes of this machine that an attack has started. */
async function started(): Promise<number[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    pids.map(async (pid) => [pid, await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")] as const),
  );
  // kubectl has the program of the attack in its own command line.
  return lines.filter(([, line]) => line.split("\0").includes(mark)).map(([pid]) => Number(pid));
}

const project = {
  "idle.cjs": "setInterval(() => {}, 1000);",
  Dockerfile: 'FROM node:26\nWORKDIR /app\nCOPY idle.cjs .\nCMD ["node", "idle.cjs"]\n',
};

describe.each([
  ["bubblewrap", "bubblewrap"],
  ["namespaces of Linux", "namespaces"],
  ["Node's permission model alone", "node"],
] as const)("a Pod behind %s", (_, fence) => {
  let isOffered = true;
  let bench: ImageBench;
  let kubectl: string;
  beforeAll(async () => {
    kubectl = (await findTool("kubectl")).path;
    bench = await startImageBench(async (directory) => {
      const cluster = await startEmbeddedCluster({ directory, fence });
      isOffered = (await cluster.fence()).kind === fence;
      return cluster;
    });
    targets = { ...targets, kubeconfig: bench.kubeconfigPath };
    await bench.image("idle:1", project);
    await bench.ok("run idle --image=idle:1");
    await bench.ok("wait --for=condition=Ready pod/idle --timeout=50s");
  });
  afterAll(() => bench?.stop());
  beforeEach((test) => {
    test.skip(!isOffered, "this machine does not offer it");
    startVictim();
    targets = { ...targets, pid: victim.pid as number };
    reached = [];
  });

  async function exec(pod: string, command: readonly string[]): Promise<string> {
    const { stdout, stderr } = await execa(kubectl, ["exec", pod, "--", ...command], {
      env: { HOME: dirname(bench.kubeconfigPath), KUBECONFIG: bench.kubeconfigPath },
      extendEnv: false,
      reject: false,
      timeout: 20_000,
    });
    return `${stdout}\n${stderr}`;
  }

  /** Variables are a Pod's to set: the attack is its program. */
  async function runPod(env: Readonly<Record<string, string>>, command: readonly string[]): Promise<string> {
    await bench.apply({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "attack" },
      spec: {
        restartPolicy: "Never",
        containers: [
          {
            name: "main",
            image: "idle:1",
            command,
            env: Object.entries(env).map(([name, value]) => ({ name, value })),
          },
        ],
      },
    });
    await until(async () => /Succeeded|Failed/.test(await bench.field("attack", ".status.phase")));
    const log = await bench.logs("attack");
    await bench.ok("delete pod attack --now");
    return log;
  }

  /** Nothing was read, written, reached, killed or left running. */
  async function expectUnharmed(output: string): Promise<void> {
    const token = (await readFile(bench.kubeconfigPath, "utf8")).match(/token: (\S+)/)?.[1] ?? secret;
    expect.soft(output).not.toContain(secret);
    expect.soft(output).not.toContain(token);
    expect.soft(output).not.toMatch(/loaded a library|made a WASI/);
    expect.soft((await readdir(outside)).sort()).toEqual(before);
    expect.soft(reached).toEqual([]);
    expect.soft([victim.exitCode, victim.signalCode]).toEqual([null, null]);
    const left = await started();
    for (const pid of left) process.kill(pid, "SIGKILL");
    for (const name of await readdir(outside))
      if (!before.includes(name)) await rm(join(outside, name), { recursive: true });
    expect(left).toEqual([]);
  }

  it.each(attacks)("withstands: $name", async (attack: Attack) => {
    const command = [
      "node",
      ...(attack.options?.(targets) ?? []),
      "-e",
      `console.log("begun");${attack.program(targets)}`,
    ];
    const output = attack.env ? await runPod(attack.env(targets), command) : await exec("idle", command);
    if (process.env.SHOW_ATTACKS) console.log(`${attack.name}\n${output}`);
    // An attack that never began proves nothing.
    expect(output).toMatch(
      /^begun$|\bnode: .*(?:is not allowed in a container|leads out of the container|not found)|^Error: (?:Access to this API|Cannot find module)/m,
    );
    await expectUnharmed(output);
  });
});
