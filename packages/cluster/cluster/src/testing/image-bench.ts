import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { execa } from "execa";
import { containerToolPath } from "../container-tool/path.ts";
import { type KubectlBench, type Outcome, type StartCluster, startKubectlBench } from "./kubectl.ts";
import { createPodReader, type PodReader } from "./pod-reader.ts";
import { until } from "./process.ts";

/** A kubectl bench with container-tool, and a Pod `client` that can reach others. */
export interface ImageBench extends KubectlBench, PodReader {
  /** Runs container-tool as a Makefile does. */
  tool(args: string[], cwd?: string, env?: Readonly<Record<string, string>>): Promise<Outcome>;
  /** Writes a project, builds and pushes it. @param files path → content, including a Dockerfile */
  image(name: string, files: Record<string, string>): Promise<void>;
  /**
   * Sends `GET http://<Pod's IP>:8080<path>` from another Pod, once the port accepts connections. @returns
   * the body
   */
  get(pod: string, path: string): Promise<string>;
  apply(...objects: object[]): Promise<string>;
}

/** @param start Default: an embedded cluster */
export async function startImageBench(start?: StartCluster): Promise<ImageBench> {
  const bench = await startKubectlBench(start);
  const folder = dirname(await bench.file("marker", ""));
  await bench.ok("run client --image=busybox -- sleep 100000");
  await bench.ok("wait --for=condition=Ready pod/client --timeout=50s");

  async function tool(
    args: string[],
    cwd = folder,
    env: Readonly<Record<string, string>> = {},
  ): Promise<Outcome> {
    const result = await execa(containerToolPath(), args, {
      cwd,
      env: {
        HOME: folder,
        KUBECONFIG: bench.kubeconfigPath,
        PATH: process.env.PATH,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        ...env,
      },
      extendEnv: false,
      reject: false,
      stripFinalNewline: false,
    });
    return { code: result.exitCode, stdout: result.stdout, stderr: result.stderr };
  }
  const reader = createPodReader(bench.kubeConfig);
  return {
    ...bench,
    ...reader,
    tool,
    async image(name, files) {
      const project = join(folder, `project-${name.replaceAll(/\W/g, "-")}`);
      await writeProject(project, files);
      for (const args of [
        ["build", "-t", name, "."],
        ["push", name],
      ]) {
        const { code, stdout, stderr } = await tool(args, project);
        if (code !== 0) throw new Error(`container-tool ${args.join(" ")}: ${stdout}${stderr}`);
      }
    },
    async get(pod, path) {
      const ip = await reader.field(pod, ".status.podIP");
      const command = `exec client -- wget -qO- 'http://${ip}:8080${path}'`;
      let body = "";
      // A Pod without a readiness probe is ready before its program listens.
      await until(async () => {
        const { code, stdout, stderr } = await bench.run(command);
        if (code !== 0 && !stderr.includes("Connection refused")) throw new Error(`${command}: ${stderr}`);
        body = stdout;
        return code === 0;
      });
      return body;
    },
    apply: (...objects) =>
      bench.ok("apply -f -", objects.map((object) => JSON.stringify(object)).join("\n---\n")),
    async stop() {
      await reader.close();
      await bench.stop();
    },
  };
}

/** A small HTTP server with one action per path, on Node alone. */
const serverSource = `
import fs from "node:fs";
import http from "node:http";
import os from "node:os";
import v8 from "node:v8";
console.log("started", JSON.stringify({ args: process.argv.slice(2), hostname: os.hostname(), pid: process.pid, uid: process.getuid() }));
let healthy = true;
const acts = {
  "/": () => "hello from " + os.hostname(),
  "/env": () => JSON.stringify(process.env),
  "/healthz": () => { if (!healthy) throw new Error("ill"); return "ok"; },
  "/sicken": () => { healthy = false; return "ok"; },
  "/read": (p) => fs.readFileSync(p.get("path"), "utf8"),
  "/list": (p) => fs.readdirSync(p.get("path")).join(),
  "/write": (p) => { fs.writeFileSync(p.get("path"), p.get("text")); return "ok"; },
  "/fetch": async (p) => { const r = await fetch(p.get("url")); return r.status + " " + (await r.text()); },
  "/get": (p) => new Promise((resolve, reject) => http.get(p.get("url"), (r) => {
    let text = "";
    r.on("data", (chunk) => (text += chunk)).on("end", () => resolve(r.statusCode + " " + text));
  }).on("error", reject)),
  "/exit": (p) => { setTimeout(() => process.exit(Number(p.get("code"))), 20); return "ok"; },
  "/block": () => { setTimeout(() => { for (;;); }, 20); return "ok"; },
  "/spawn": async () => { const { execFileSync } = await import("node:child_process"); return execFileSync("/bin/echo", ["spawned"]); },
  "/kill": (p) => { process.kill(Number(p.get("pid")), 0); return "ok"; },
  "/heap": () => Math.round(v8.getHeapStatistics().heap_size_limit / 2 ** 20),
  "/cwd": () => process.cwd(),
};
const server = http.createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, "http://server");
  try {
    response.end(String(await acts[pathname](searchParams)));
  } catch (error) {
    response.statusCode = pathname === "/healthz" ? 500 : 200;
    response.end("error " + (error.cause?.code ?? error.code) + " " + (error.cause?.message ?? error.message));
  }
});
server.on("error", (error) => { console.error(error.message); process.exit(3); });
server.listen(Number(process.env.PORT ?? 8080), () => console.log("listening", JSON.stringify(server.address())));
process.on("SIGTERM", () => { console.log("SIGTERM: closing"); server.closeAllConnections(); server.close(() => process.exit(0)); });
`;

export const serverProject = {
  "server.mjs": serverSource,
  Dockerfile: `FROM gcr.io/distroless/nodejs26-debian13
WORKDIR /app
COPY server.mjs .
ENV FROM_IMAGE=yes
USER 1000
EXPOSE 8080
CMD ["server.mjs"]
`,
};

/** Writes a project's files. @param files path → content */
export async function writeProject(folder: string, files: Record<string, string>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content, { mode: 0o755 });
  }
}
