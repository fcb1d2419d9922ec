import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { findTool } from "@operator-path/tools";
import { execa } from "execa";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nameNodes } from "../node-plan.ts";
import { listens, nodeFlags, sourceUrl } from "../testing/process.ts";
import { UserError } from "../user-error.ts";
import { startEmbeddedCluster } from "./start.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "cluster-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

async function kubectl(kubeconfigPath: string, ...args: string[]): Promise<string> {
  const { path } = await findTool("kubectl");
  const { stdout } = await execa(path, args, {
    env: { KUBECONFIG: kubeconfigPath, KUBECACHEDIR: join(directory, "cache") },
  });
  return stdout;
}

describe("startEmbeddedCluster", () => {
  it("serves a real kubectl, with one node that runs Pods", async () => {
    const cluster = await startEmbeddedCluster({ directory });
    expect(await kubectl(cluster.kubeconfigPath, "get", "nodes", "-o", "name")).toBe(
      "node/dev-control-plane",
    );
    await kubectl(cluster.kubeconfigPath, "run", "web", "--image=nginx:1.27");
    await kubectl(cluster.kubeconfigPath, "wait", "--for=condition=Ready", "pod/web", "--timeout=50s");
    await cluster.stop();
  });

  it("names nodes as kind does, and keeps Pods off a control plane with workers", async () => {
    const nodes = nameNodes("shop", [
      { role: "control-plane" },
      { role: "worker", labels: { disk: "fast" } },
    ]);
    const cluster = await startEmbeddedCluster({ name: "shop", directory, nodes });
    const ask = (...args: string[]): Promise<string> => kubectl(cluster.kubeconfigPath, ...args);
    expect((await ask("get", "nodes", "-o", "name")).split("\n")).toEqual([
      "node/shop-control-plane",
      "node/shop-worker",
    ]);
    expect(await ask("get", "nodes", "-l", "disk=fast", "-o", "name")).toBe("node/shop-worker");
    for (const name of ["one", "two"]) await ask("run", name, "--image=nginx");
    await ask("wait", "--for=condition=Ready", "pod", "--all", "--timeout=50s");
    const hosts = await ask("get", "pods", "-o", "jsonpath={.items[*].spec.nodeName}");
    expect(hosts).toBe("shop-worker shop-worker");
    await cluster.stop();
  });

  it("writes a kubeconfig that only its owner can read, and stop() removes it and frees the port", async () => {
    const cluster = await startEmbeddedCluster({ directory });
    expect((await stat(cluster.kubeconfigPath)).mode & 0o777).toBe(0o600);
    expect(await readdir(directory)).toEqual(["kubeconfig"]);
    expect(await listens(cluster.url)).toBe(true);
    await Promise.all([cluster.stop(), cluster.stop()]);
    expect(await readdir(directory)).toEqual([]);
    expect(await listens(cluster.url)).toBe(false);
  });

  it("creates a temporary folder by default, and removes it", async () => {
    const cluster = await startEmbeddedCluster();
    const folder = dirname(cluster.kubeconfigPath);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    await cluster.stop();
    expect(existsSync(folder)).toBe(false);
  });

  it("names the process on a taken port", async () => {
    const first = await startEmbeddedCluster({ directory });
    const port = Number(new URL(first.url).port);
    const error = await startEmbeddedCluster({ directory: join(directory, "second"), port }).catch((e) => e);
    expect(error).toBeInstanceOf(UserError);
    expect(error.message).toContain(`port ${port} on 127.0.0.1 is taken`);
    if (process.platform === "linux") expect(error.message).toContain(`(pid ${process.pid})`);
    expect(existsSync(join(directory, "second"))).toBe(false);
    await first.stop();
  });

  it("leaves no timer and no socket: a process that stops its cluster exits", async () => {
    const program = `
      import { startEmbeddedCluster } from ${JSON.stringify(sourceUrl("embedded/start.ts"))};
      const cluster = await startEmbeddedCluster({ directory: process.env.DIRECTORY });
      await cluster.stop();
      console.log("stopped");`;
    const run = await execa(process.execPath, [...nodeFlags, "--eval", program], {
      env: { DIRECTORY: directory },
    });
    expect(run.stdout).toBe("stopped");
  });
});
