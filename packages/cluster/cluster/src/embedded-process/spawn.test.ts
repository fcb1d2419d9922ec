import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Client, createClient, nodes, replicaSets } from "@operator-path/client";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { nameNodes } from "../node-plan.ts";
import { hasExited, listens, nodeFlags, sourceUrl, until } from "../testing/process.ts";
import { UserError } from "../user-error.ts";
import { type SpawnedCluster, spawnEmbeddedCluster } from "./spawn.ts";

let directory: string;
const makeDirectory = async () => {
  directory = await mkdtemp(join(tmpdir(), "spawn-"));
};
const removeDirectory = () => rm(directory, { recursive: true, force: true });

// One cluster, in the order of its life.
describe("a spawned cluster", () => {
  let cluster: SpawnedCluster;
  let client: Client;
  beforeAll(async () => {
    await makeDirectory();
    cluster = await spawnEmbeddedCluster({ directory });
    client = createClient(cluster.kubeConfig);
  });
  afterAll(async () => {
    await client.close();
    await cluster.stop();
    await removeDirectory();
  });

  it("serves its API", async () => {
    const { items } = await client.resource(nodes).list();
    expect(items.map(({ metadata }) => metadata?.name)).toEqual(["dev-control-plane"]);
  });

  it("logs errors of its components", async () => {
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
  });

  it("keeps its port: a second one throws the reason, and leaves nothing", async () => {
    const port = Number(new URL(cluster.url).port);
    const error = await spawnEmbeddedCluster({ directory: join(directory, "second"), port }).catch((e) => e);
    expect(error).toBeInstanceOf(UserError);
    expect(error.message).toContain(`(pid ${cluster.pid})`);
    expect(await readdir(join(directory, "second"))).toEqual([]);
    await rm(join(directory, "second"), { recursive: true });
  });

  it("is another process, and stop() ends it and removes every file", async () => {
    await client.close();
    await Promise.all([cluster.stop(), cluster.stop()]);
    expect(await hasExited(cluster.pid)).toBe(true);
    expect(await listens(cluster.url)).toBe(false);
    expect(await readdir(directory)).toEqual([]);
  });
});

describe("spawnEmbeddedCluster", () => {
  beforeEach(makeDirectory);
  afterEach(removeDirectory);

  it("removes its files even if it was killed", async () => {
    const cluster = await spawnEmbeddedCluster({ directory });
    process.kill(cluster.pid, "SIGKILL");
    await cluster.stop();
    expect(await readdir(directory)).toEqual([]);
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
