import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createClient, nodes, replicaSets } from "@operator-path/client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nameNodes } from "../node-plan.ts";
import { hasExited, listens, nodeFlags, sourceUrl, until } from "../testing/process.ts";
import { UserError } from "../user-error.ts";
import { spawnEmbeddedCluster } from "./spawn.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "spawn-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

describe("spawnEmbeddedCluster", () => {
  it("runs in another process, and stop() ends it and removes every file", async () => {
    const cluster = await spawnEmbeddedCluster({ directory });
    const client = createClient(cluster.kubeConfig);
    const { items } = await client.resource(nodes).list();
    await client.close();
    expect(items.map(({ metadata }) => metadata?.name)).toEqual(["dev-control-plane"]);
    await Promise.all([cluster.stop(), cluster.stop()]);
    expect(await hasExited(cluster.pid)).toBe(true);
    expect(await listens(cluster.url)).toBe(false);
    expect(await readdir(directory)).toEqual([]);
  });

  it("removes its files even if it was killed", async () => {
    const cluster = await spawnEmbeddedCluster({ directory });
    process.kill(cluster.pid, "SIGKILL");
    await cluster.stop();
    expect(await readdir(directory)).toEqual([]);
  });

  it("logs errors of its components", async () => {
    const cluster = await spawnEmbeddedCluster({ directory });
    const client = createClient(cluster.kubeConfig);
    const labels = { app: "web" };
    await client
      .resource(replicaSets)
      .namespace("default")
      .create({
        metadata: { name: "web" },
        spec: {
          replicas: 1,
          selector: { matchLabels: labels },
          template: {
            metadata: { labels },
            spec: { serviceAccountName: "missing", containers: [{ name: "web", image: "nginx" }] },
          },
        },
      });
    const log = (): Promise<string> => readFile(join(directory, "cluster.log"), "utf8");
    await until(async () => (await log()).includes("default/web"));
    expect(await log()).toMatch(
      /^\d{4}-\S+Z controller-manager: .*default\/web: .*serviceaccount "missing" not found.*; retrying with backoff/m,
    );
    await client.close();
    await cluster.stop();
  });

  it("survives an unhandled rejection, and logs where it came from", async () => {
    const mistake = `process.on("SIGUSR2", function slip() { Promise.reject(new Error("oops")); });`;
    const main = fileURLToPath(sourceUrl("embedded-process/main.ts"));
    const flags = ["--conditions=@operator-path/source", "--import", `data:text/javascript,${mistake}`];
    const child = spawn(process.execPath, [...flags, main], { stdio: ["ignore", "inherit", "pipe", "ipc"] });
    let log = "";
    child.stderr?.on("data", (chunk) => (log += chunk));
    const answered = once(child, "message");
    child.send({ name: "dev", directory, port: 0, nodes: nameNodes("dev"), lifeline: true });
    const [{ url }] = await answered;
    child.kill("SIGUSR2");
    await until(() => log.includes("slip"));
    expect(log).toMatch(/^\d{4}-\S+Z unhandled rejection: Error: oops\n +at process\.slip/);
    expect(await listens(url)).toBe(true);
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
  });

  it("throws the reason if it cannot start, and leaves nothing", async () => {
    const cluster = await spawnEmbeddedCluster({ directory });
    const port = Number(new URL(cluster.url).port);
    const error = await spawnEmbeddedCluster({ directory: join(directory, "second"), port }).catch((e) => e);
    expect(error).toBeInstanceOf(UserError);
    expect(error.message).toContain(`(pid ${cluster.pid})`);
    expect(await readdir(join(directory, "second"))).toEqual([]);
    await cluster.stop();
  });

  /** Starts a process that spawns a cluster, prints its pid and URL, and then runs `then`. */
  async function parent(then: string): Promise<{ child: ChildProcess; pid: number; url: string }> {
    const program = `
      import { spawnEmbeddedCluster } from ${JSON.stringify(sourceUrl("embedded-process/spawn.ts"))};
      const { pid, url } = await spawnEmbeddedCluster({ directory: process.env.DIRECTORY });
      process.stdout.write(JSON.stringify({ pid, url }));
      ${then}`;
    const child = spawn(process.execPath, [...nodeFlags, "--eval", program], {
      env: { ...process.env, DIRECTORY: directory },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = await once(child.stdout, "data");
    return { child, ...JSON.parse(String(line)) };
  }

  it("ends when its parent is killed", async () => {
    const { child, pid, url } = await parent("setInterval(() => undefined, 1000);");
    expect(await listens(url)).toBe(true);
    child.kill("SIGKILL");
    await until(() => hasExited(pid));
    expect(await listens(url)).toBe(false);
  });

  it("does not keep its parent alive, and ends with it", async () => {
    const { child, pid } = await parent("");
    if (child.exitCode === null) await once(child, "exit");
    expect(child.exitCode).toBe(0);
    await until(() => hasExited(pid));
  });
});
