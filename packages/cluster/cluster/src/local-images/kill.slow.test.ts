import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findTool } from "@operator-path/tools";
import { execa } from "execa";
import { afterEach, beforeEach, expect, it } from "vitest";
import { containerToolPath } from "../container-tool/path.ts";
import { spawnEmbeddedCluster } from "../embedded-process/spawn.ts";
import { nameNodes } from "../node-plan.ts";
import { serverProject, writeProject } from "../testing/image-bench.ts";
import { startSilentServer, until } from "../testing/process.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "kill-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

/** Its helm waits for values that never come, and would leave the process group if it could. */
const waitingProject = {
  "main.mjs": `import { spawn } from "node:child_process";
spawn("helm", ["template", "x", "/app", "--values=" + process.argv[2]], { detached: true, stdio: "ignore" });`,
  "Chart.yaml": "apiVersion: v2\nname: web\nversion: 1.0.0\n",
  Dockerfile: `FROM node:26
WORKDIR /app
COPY --from=docker.io/alpine/helm:4.2.3 /usr/bin/helm /usr/local/bin/helm
COPY main.mjs Chart.yaml ./
CMD ["node", "main.mjs"]
`,
};

/** Counts the programs of Pods. A boundary has processes without the Pod's environment. */
async function programsOf(pods: string): Promise<number> {
  const names = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const environments = await Promise.all(
    names.map((pid) => readFile(`/proc/${pid}/environ`, "latin1").catch(() => "")),
  );
  return environments.filter((text) => text.includes(`OPERATOR_PATH_ROOT=${pods}/`)).length;
}

/** Returns the processes on this machine whose command line or environment contains the text. */
async function processesWith(text: string): Promise<string[]> {
  const found: string[] = [];
  for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    const read = (file: string) => readFile(`/proc/${pid}/${file}`, "latin1").catch(() => "");
    if ((await read("cmdline")).includes(text) || (await read("environ")).includes(text)) found.push(pid);
  }
  return found;
}

it.runIf(process.platform === "linux")(
  "leaves no Pod's process and no file when the cluster is killed with -9, even with a busy process",
  async () => {
    await using server = await startSilentServer();
    const nodes = nameNodes("dev", [{ role: "control-plane" }, { role: "worker" }, { role: "worker" }]);
    const cluster = await spawnEmbeddedCluster({ directory: join(directory, "cluster"), nodes });
    const env = { KUBECONFIG: cluster.kubeconfigPath, HOME: directory, PATH: process.env.PATH };
    const kubectl = (await findTool("kubectl")).path;
    const run = (program: string, args: string[], input = "") =>
      execa(program, args, { cwd: join(directory, "project"), env, extendEnv: false, input });
    await writeProject(join(directory, "project"), serverProject);
    await run(containerToolPath(), ["build", "-t", "server:1", "."]);
    await run(containerToolPath(), ["load", "server:1"]);
    const endless = "console.log('up'); setTimeout(() => { for (;;); }, 50)";
    await run(kubectl, ["create", "deployment", "server", "--image=server:1", "--replicas=2"]);
    await run(kubectl, ["run", "endless", "--image=server:1", "--", "-e", endless]);
    await writeProject(join(directory, "project"), waitingProject);
    await run(containerToolPath(), ["build", "-t", "waiting:1", "."]);
    await run(containerToolPath(), ["load", "waiting:1"]);
    await run(kubectl, ["run", "waiting", "--image=waiting:1", "--", "node", "main.mjs", server.url]);
    await run(kubectl, ["wait", "--for=condition=Ready", "pod", "--all", "--timeout=50s"]);
    await run(kubectl, ["rollout", "status", "deployment/server", "--timeout=50s"]);
    const { stdout } = await run(kubectl, ["get", "pods", "-o", "jsonpath={.items[*].spec.nodeName}"]);
    expect(new Set(stdout.split(" "))).toEqual(new Set(["dev-worker", "dev-worker2"]));
    const pods = join(directory, "cluster", "pods");
    await until(async () => (await programsOf(pods)) === 5);

    process.kill(cluster.pid, "SIGKILL");
    await until(async () => (await processesWith(pods)).length === 0);
    await until(async () => !(await readdir(join(directory, "cluster"))).includes("pods"));
    await cluster.stop();
    expect(await readdir(join(directory, "cluster"))).toEqual([]);
  },
);
