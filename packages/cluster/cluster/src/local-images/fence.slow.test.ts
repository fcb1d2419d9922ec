import { type ChildProcess, spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { findTool } from "@operator-path/tools";
import { execa } from "execa";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startEmbeddedCluster } from "../embedded/start.ts";
import {
  type Attack,
  attacks,
  connections,
  kernel,
  kills,
  reads,
  type Targets,
  writes,
} from "../testing/attacks.ts";
import { type ImageBench, startImageBench } from "../testing/image-bench.ts";
import { until } from "../testing/process.ts";
import { UserError } from "../user-error.ts";

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
/** The contents of the folder that no Pod may write to. */
let before: string[];

beforeAll(async () => {
  outside = await mkdtemp(join(tmpdir(), "outside-"));
  await writeFile(join(outside, "secret.txt"), secret);
  await writeFile(join(outside, "secret.env"), `SECRET=${secret}\n`);
  await writeFile(join(outside, "secret.json"), JSON.stringify({ secret }));
  const database = new DatabaseSync(join(outside, "secret.db"));
  database.exec(`CREATE TABLE secrets(text); INSERT INTO secrets VALUES ('${secret}')`);
  database.close();
  unix = server("Unix socket").listen(join(outside, "s"));
  udp.on("message", () => void reached.push("UDP"));
  const port = await listenOnBoth();
  before = (await readdir(outside)).sort();
  targets = { outside, kubeconfig: "", unixSocket: join(outside, "s"), port, pid: 0, mark };
});
afterAll(async () => {
  victim?.kill("SIGKILL");
  for (const server of [unix, tcp, udp]) server?.close();
  await rm(outside, { recursive: true, force: true });
});

function server(name: string): Server {
  return createServer((socket) => {
    reached.push(name);
    socket.destroy();
  });
}

/** Listens for TCP and UDP on one port, and returns it. The port that one got may be taken for the other. */
async function listenOnBoth(): Promise<number> {
  for (;;) {
    tcp = server("TCP").listen(0, "127.0.0.1");
    await once(tcp, "listening");
    const { port } = tcp.address() as AddressInfo;
    const bound = once(udp, "listening").then(() => true);
    const taken = once(udp, "error").then(() => false);
    udp.bind(port, "127.0.0.1");
    if (await Promise.race([bound, taken])) return port;
    tcp.close();
  }
}

/** Starts a program of this user that no Pod may inspect or signal. */
function startVictim(): void {
  if (victim?.exitCode === null && victim.signalCode === null) return;
  victim = spawn("/bin/sleep", ["100000"], { env: { SECRET: secret }, stdio: "ignore" });
}

/** Returns the processes of this machine that an attack has started. */
async function started(): Promise<number[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    pids.map(async (pid) => [pid, await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")] as const),
  );
  // Leaves out kubectl, whose command line contains the attack's program.
  return lines.filter(([, line]) => line.split("\0").includes(mark)).map(([pid]) => Number(pid));
}

const project = {
  "idle.cjs": "setInterval(() => {}, 1000);",
  Dockerfile: 'FROM node:26\nWORKDIR /app\nCOPY idle.cjs .\nCMD ["node", "idle.cjs"]\n',
};

/** Its program starts Node again, as an image with tsx may. That Node has no permission model. */
const freeProject = {
  // The documented functions pass the permission model on, by NODE_OPTIONS.
  "free.cjs": `const { ChildProcess } = require("node:child_process");
const file = process.execPath;
new ChildProcess().spawn({ file, args: [file, ...process.argv.slice(2)], envPairs: [], stdio: ["ignore", "inherit", "inherit"] });`,
  "package.json": "{}",
  "node_modules/tsx/package.json": '{"name":"tsx","bin":"cli.mjs"}',
  "node_modules/tsx/dist/loader.mjs": "",
  "node_modules/.bin/tsx": "",
  Dockerfile:
    'FROM node:26\nWORKDIR /app\nCOPY . .\nCMD ["npx", "tsx", "-e", "setInterval(() => {}, 1000)"]\n',
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
      isOffered = await cluster.fence().then(
        ({ kind }) => kind === fence,
        (error: unknown) => {
          if (error instanceof UserError) return false;
          throw error;
        },
      );
      return cluster;
    });
    if (!isOffered) return;
    targets = { ...targets, kubeconfig: bench.kubeconfigPath };
    await bench.image("idle:1", project);
    await bench.ok("run idle --image=idle:1");
    await bench.image("free:1", freeProject);
    await bench.ok("run free --image=free:1");
    await bench.ok("wait --for=condition=Ready pod/idle pod/free --timeout=50s");
  });
  afterAll(() => bench?.stop());
  beforeEach((test) => {
    test.skip(!isOffered, "this machine does not offer it");
    startVictim();
    targets = { ...targets, pid: victim.pid as number };
    reached = [];
  });

  const exec = (pod: string, command: readonly string[]) =>
    execIn(pod, pod === "linked" ? "main" : pod, command);

  async function execIn(pod: string, container: string, command: readonly string[]): Promise<string> {
    const { stdout, stderr } = await execa(kubectl, ["exec", pod, "-c", container, "--", ...command], {
      env: { HOME: dirname(bench.kubeconfigPath), KUBECONFIG: bench.kubeconfigPath },
      extendEnv: false,
      reject: false,
      timeout: 120_000,
    });
    return `${stdout}\n${stderr}`;
  }

  /** A Pod may set its variables. The attack is its program. */
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

  /** Expects that nothing was read, written, reached, killed or left running. */
  async function expectUnharmed(output: string): Promise<void> {
    const token = (await readFile(bench.kubeconfigPath, "utf8")).match(/token: (\S+)/)?.[1] ?? secret;
    expect.soft(output).not.toContain(secret);
    expect.soft(output).not.toContain(token);
    expect.soft(output).not.toMatch(/loaded a library|made a WASI|changed the kernel/);
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

  it("withstands: links that the container's shell and a neighbouring container make", async () => {
    const link = (path: string) => `ln -s ${outside} ${path}; cat ${path}/secret.txt`;
    const read = (path: string) => `console.log(require("fs").readFileSync("${path}/secret.txt", "utf8"))`;
    const scratch = { name: "scratch", emptyDir: {} };
    const volumeMounts = [{ name: "scratch", mountPath: "/shared" }];
    await bench.apply({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "linked" },
      spec: {
        volumes: [scratch],
        containers: [
          { name: "main", image: "idle:1", volumeMounts },
          { name: "beside", image: "busybox", command: ["sleep", "100000"], volumeMounts },
        ],
      },
    });
    await bench.ok("wait --for=condition=Ready pod/linked --timeout=50s");
    const output = [
      await exec("linked", ["sh", "-c", link("/app/link")]),
      await exec("linked", ["node", "-e", read("/app/link")]),
      await exec("linked", ["node", "--env-file=/app/link/secret.env", "-p", "process.env.SECRET"]),
      await exec("linked", ["sh", "-c", link("/shared/one")]),
      await execIn("linked", "beside", ["sh", "-c", link("/shared/two")]),
      await exec("linked", ["node", "-e", read("/shared/one")]),
      await exec("linked", ["node", "-e", `console.log("begun");${read("/shared/two")}`]),
    ].join("\n");
    expect(output).toContain("begun");
    await expectUnharmed(output);
    await bench.ok("delete pod linked --now");
  });

  describe.runIf(fence !== "node")("when a program has escaped Node's permission model", () => {
    // Loopback and abstract sockets belong to the network, which the boundary does not cover.
    const unbounded = ["connects to the loopback", "reads: files through the pipes"];
    const bounded = [...reads, ...writes, ...kills, ...kernel, ...connections].filter(
      ({ name }) => !unbounded.some((kind) => name.startsWith(kind)),
    );
    it.each(bounded)("withstands: $name", async ({ program }) => {
      const words = ["-e", `console.log("begun", process.permission);${program(targets)}`];
      const output = await exec("free", ["npx", "tsx", "/app/free.cjs", ...words]);
      expect(output).toMatch(/^begun undefined$/m);
      await expectUnharmed(output);
    });

    it("withstands: links in its root folder, which the next boundary is built from", async () => {
      const free = (program: string) => exec("free", ["npx", "tsx", "/app/free.cjs", "-e", program]);
      const target = JSON.stringify(join(outside, "secret.txt"));
      const output = [
        await free(`const fs = require("fs"); process.chdir(".."); console.log("begun");
          for (const path of ["etc/passwd", "etc/group", "app/package.json", "app/link"]) { fs.rmSync(path, { force: true }); fs.symlinkSync(${target}, path); }`),
        await free(
          `for (const path of ["/etc/passwd", "/etc/group", "link"]) try { console.log(require("fs").readFileSync(path, "utf8")); } catch {}`,
        ),
        await exec("free", ["npm", "start"]),
        await exec("free", ["node", "--env-file=/app/link", "-p", "process.env"]),
      ];
      expect(output[0]).toMatch(/^begun$/m);
      await expectUnharmed(output.join("\n"));
    });

    it("ends detached processes, whatever their environment", async () => {
      const detached = `require("child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)", ${JSON.stringify(mark)}], { detached: true, env: {}, stdio: "ignore" }).unref()`;
      await bench.apply({
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: "leaver" },
        spec: {
          containers: [
            {
              name: "main",
              image: "free:1",
              command: ["npx", "tsx", "/app/free.cjs", "-e", `${detached}; setInterval(() => {}, 1000)`],
            },
          ],
        },
      });
      await until(async () => (await started()).length === 1);
      await bench.ok("delete pod leaver --grace-period=1");
      await until(async () => (await started()).length === 0);
    });
  });
});
