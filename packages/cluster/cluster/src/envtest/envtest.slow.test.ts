import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createClient, pods } from "@operator-path/client";
import { findControlPlane } from "@operator-path/tools";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hasExited, listens, nodeFlags, sourceUrl, until } from "../testing/process.ts";
import { startRealControlPlane } from "./control-plane.ts";
import { startProgram } from "./lifeline.ts";
import { startEnvtestCluster } from "./start.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "envtest-test-"));
});
afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));

const logFile = (): string => join(folder, "log");

describe("startProgram", () => {
  it("stops the program, and reports an unexpected end with its last output", async () => {
    const sleeping = await startProgram({ path: "/bin/sleep", args: ["100"], folder, logFile: logFile() });
    await sleeping.stop();
    expect(await hasExited(sleeping.pid)).toBe(true);
    await rm(logFile());
    const args = ["-c", "echo begun; echo no room >&2; exit 3"];
    const failing = await startProgram({ path: "/bin/sh", args, folder, logFile: logFile() });
    expect(await failing.ended).toMatch(/sh exited with code 3; its log ends with\n {2}begun\n {2}no room/);
  });

  it("ends the program and removes its folder when our process is killed", async () => {
    const orphaned = await mkdtemp(join(folder, "orphaned-"));
    const script = `
      import { startProgram } from ${JSON.stringify(sourceUrl("envtest/lifeline.ts"))};
      const { pid } = await startProgram({ path: "/bin/sleep", args: ["100"], folder: ${JSON.stringify(folder)},
        logFile: ${JSON.stringify(logFile())}, orphanedFolder: ${JSON.stringify(orphaned)} });
      console.log(pid);
      setInterval(() => {}, 1000);`;
    const parent = spawn(process.execPath, [...nodeFlags, "--eval", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const lines = createInterface({ input: parent.stdout });
    const [line] = await once(lines, "line");
    parent.kill("SIGKILL");
    await until(() => hasExited(Number(line)));
    await until(async () => !(await readdir(folder)).includes(orphaned.split("/").at(-1) as string));
  });
});

// Uses only existing programs: a build takes minutes, and belongs to `pnpm proof`.
const programs = await findControlPlane({ controllerManager: true, mayBuild: false }).catch(() => undefined);

describe.runIf(programs)("a real control plane", () => {
  it("names the process on a taken port, and etcd's error if it cannot start", async () => {
    const holder = createServer().listen(0, "127.0.0.1");
    await once(holder, "listening");
    const { port } = holder.address() as { port: number };
    if (!programs) return;
    await expect(startRealControlPlane({ programs, port })).rejects.toThrow(
      `port ${port} on 127.0.0.1 is taken`,
    );
    holder.close();
    const broken = join(folder, "etcd");
    await writeFile(broken, "#!/bin/sh\necho no space left >&2\nexit 1\n", { mode: 0o755 });
    const etcd = { ...programs.etcd, path: broken };
    await expect(startRealControlPlane({ programs: { ...programs, etcd } })).rejects.toThrow(
      /did not start: etcd exited with code 1[\s\S]*no space left/,
    );
  });

  it("runs Pods as our cluster does, keeps its secrets, and leaves nothing behind", async () => {
    const directory = join(folder, "cluster");
    const cluster = await startEnvtestCluster({ directory, ...(programs && { programs }) });
    const client = createClient(cluster.kubeConfig);
    await client
      .resource(pods)
      .namespace("default")
      .create({ metadata: { name: "a" }, spec: { containers: [{ name: "a", image: "nginx" }] } });
    await until(async () => {
      const pod = await client.resource(pods).namespace("default").get("a");
      return pod.status?.phase === "Running";
    });
    expect((await stat(cluster.kubeconfigPath)).mode & 0o777).toBe(0o600);
    for (const name of await readdir(join(directory, "control-plane"))) {
      const { mode } = await stat(join(directory, "control-plane", name));
      if (/tokens|\.key|kubeconfig/.test(name)) expect([name, mode & 0o077]).toEqual([name, 0]);
    }
    await client.close();
    await cluster.stop();
    expect(await listens(cluster.url)).toBe(false);
    expect(await readdir(directory)).not.toContain("control-plane");
  });
});
