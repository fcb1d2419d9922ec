import { spawnSync } from "node:child_process";
import { readdir, readFile, stat } from "node:fs/promises";
import { request } from "node:https";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ImageBench, serverProject, startImageBench } from "../testing/image-bench.ts";
import { until } from "../testing/process.ts";

// design.md: "Because a Pod can be a process of the host, the embedded API is a way to run code".

let bench: ImageBench;
let url: URL;
beforeAll(async () => {
  bench = await startImageBench();
  await bench.image("server:1", serverProject);
  url = new URL(await bench.ok("config view --raw -o jsonpath={.clusters[0].cluster.server}"));
});
afterAll(() => bench?.stop());

const pods = () => bench.ok("get pods -A -o name");
const token = () => bench.ok("config view --raw -o jsonpath={.users[0].user.token}");
const body = JSON.stringify({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "intruder" },
  spec: { containers: [{ name: "main", image: "server:1" }] },
});

/** Tries it like an attacker on this machine, or a page in its browser. */
function attempt(
  method: string,
  path: string,
  headers: Record<string, string>,
): Promise<{ status: number; headers: Record<string, unknown>; text: string }> {
  return new Promise((resolve, reject) => {
    const options = { method, host: "127.0.0.1", port: url.port, path, headers, rejectUnauthorized: false };
    const sent = request(options, (response) => {
      let text = "";
      response.on("data", (chunk) => (text += chunk));
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      );
    });
    sent.on("error", reject);
    sent.end(method === "POST" ? body : undefined);
  });
}

describe("starts nothing for", () => {
  const path = "/api/v1/namespaces/default/pods";
  const json = { "content-type": "application/json" };
  it.each([
    ["no token", json, 401],
    ["a wrong token", { ...json, authorization: `Bearer ${"a".repeat(43)}` }, 401],
    [
      "a cookie or a name and password",
      { ...json, cookie: "token=x", authorization: "Basic YWRtaW46YWRtaW4=" },
      401,
    ],
  ])("%s", async (_, headers, status) => {
    const before = await pods();
    expect((await attempt("POST", path, headers)).status).toBe(status);
    expect(await pods()).toBe(before);
  });

  it("a page whose name resolves to this machine (DNS rebinding), even with the token", async () => {
    const before = await pods();
    const authorization = `Bearer ${await token()}`;
    for (const host of [
      "evil.example.com",
      "127.0.0.1.evil.example.com",
      `localhost.evil.example:${url.port}`,
    ]) {
      const answer = await attempt("POST", path, { ...json, authorization, host });
      expect([host, answer.status]).toEqual([host, 403]);
    }
    expect(await pods()).toBe(before);
  });

  it("a page of another origin, which gets no CORS permission, and whose forms have no accepted content type", async () => {
    const before = await pods();
    const origin = "https://evil.example.com";
    const asked = await attempt("OPTIONS", path, { origin, "access-control-request-method": "POST" });
    expect(asked.status).toBeGreaterThanOrEqual(400);
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]) {
      const sent = await attempt("POST", path, { origin, "content-type": type });
      expect(sent.status).toBe(401);
      expect(Object.keys(sent.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
    }
    expect(await pods()).toBe(before);
  });

  it("a user who may not create Pods: a ServiceAccount without a Role", async () => {
    const account = (await bench.ok("create token default")).trim();
    const before = await pods();
    const answer = await attempt("POST", path, { ...json, authorization: `Bearer ${account}` });
    expect(answer.status).toBe(403);
    expect(await pods()).toBe(before);
  });
});

describe("nothing leaks", () => {
  it("of a Pod's files to another user of this machine", async () => {
    await bench.apply({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "private" },
      spec: { containers: [{ name: "main", image: "server:1" }] },
    });
    await bench.ok("wait --for=condition=Ready pod/private --timeout=50s");
    const cluster = dirname(bench.kubeconfigPath);
    for (const folder of ["pods", "images"]) {
      expect([folder, (await stat(join(cluster, folder))).mode & 0o777]).toEqual([folder, 0o700]);
    }
    expect((await stat(bench.kubeconfigPath)).mode & 0o777).toBe(0o600);
    const [host = ""] = await readdir(join(cluster, "pods"));
    const [container = ""] = await readdir(join(cluster, "pods", host, "containers"));
    const secret = join(
      cluster,
      "pods",
      host,
      "containers",
      container,
      "root/var/run/secrets/kubernetes.io/serviceaccount/token",
    );
    expect((await stat(secret)).size).toBeGreaterThan(100);
    // Only root can become another user.
    if (process.getuid?.() === 0) {
      const { status } = spawnSync("/bin/cat", [secret], { uid: 65534, gid: 65534 });
      expect(status).not.toBe(0);
    }
  });

  it("of this machine's files and environment through an image: links and paths lead nowhere", async () => {
    const project = {
      "main.mjs": `import fs from "node:fs";
const tries = ["${bench.kubeconfigPath}", "/etc/shadow", "/proc/" + process.ppid + "/environ", "/proc/self/environ", "/app/link", "/app/../../../../../../../../etc/shadow"];
try { fs.symlinkSync("/etc/shadow", "/app/link"); } catch (error) { console.log("link", error.code); }
for (const path of tries) {
  try { console.log(path, "READ", fs.readFileSync(path, "utf8").length); } catch (error) { console.log(path, error.code); }
}
try { console.log(process.binding("fs")); } catch (error) { console.log("binding", error.code); }
console.log(Object.keys(process.env).join());`,
      Dockerfile:
        'FROM gcr.io/distroless/nodejs26-debian13\nWORKDIR /app\nCOPY main.mjs .\nENV NODE_OPTIONS="--allow-fs-read=* --no-permission"\nCMD ["main.mjs"]\n',
    };
    process.env.OPERATOR_PATH_LEAK = "leak";
    await bench.image("curious:1", project);
    await bench.ok("run curious --image=curious:1 --restart=Never");
    await bench.ok("wait --for=jsonpath={.status.phase}=Succeeded pod/curious --timeout=50s");
    delete process.env.OPERATOR_PATH_LEAK;
    const log = await bench.logs("curious");
    expect(log).not.toContain("READ");
    expect(log).not.toContain("LEAK");
    expect(log.match(/ENOENT|ERR_ACCESS_DENIED|ERR_INVALID_ARG_VALUE/g)?.length).toBeGreaterThanOrEqual(6);
  });

  it.runIf(process.platform === "linux")(
    "of detached processes: they end with the Pod, however much they print",
    async () => {
      const mark = `4321.${process.pid}`;
      const started = async () => {
        const names = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
        const lines = await Promise.all(
          names.map((name) => readFile(`/proc/${name}/cmdline`, "utf8").catch(() => "")),
        );
        return lines.filter((line) => line.split("\0").includes(mark)).length;
      };
      await bench.image("starter:1", {
        "main.cjs": `const { spawn } = require("node:child_process");
const start = (program, stdio) => spawn(process.execPath, ["-e", program, "${mark}"], { detached: true, stdio });
start("setInterval(() => console.log('tick'), 200)", "inherit");
start("setInterval(() => {}, 1000)", "ignore");
setInterval(() => {}, 1000);`,
        // An image with tsx may start programs.
        "package.json": "{}",
        "node_modules/tsx/package.json": '{"name":"tsx","bin":"cli.mjs"}',
        "node_modules/tsx/dist/loader.mjs": "",
        "node_modules/.bin/tsx": "",
        Dockerfile: 'FROM node:26\nWORKDIR /app\nCOPY . .\nCMD ["npx", "tsx", "main.cjs"]\n',
      });
      await bench.ok("run starter --image=starter:1 --restart=Never");
      await until(async () => (await started()) === 2);
      await bench.ok("delete pod starter --grace-period=1");
      await until(async () => (await started()) === 0);
    },
  );
});
