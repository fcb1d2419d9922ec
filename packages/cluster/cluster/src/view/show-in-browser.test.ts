import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestCluster, type TestCluster } from "../testing-cluster/index.ts";

let cluster: TestCluster;
let folder: string;

beforeAll(async () => {
  cluster = await startTestCluster();
  folder = await mkdtemp(join(tmpdir(), "show-in-browser-"));
  await writeFile(join(folder, "kubeconfig"), cluster.kubeConfig.exportConfig());
});
afterAll(async () => {
  await cluster.stop();
  await rm(folder, { recursive: true });
});

function start(...args: string[]) {
  const main = join(import.meta.dirname, "../main.ts");
  const child = spawn(process.execPath, ["--conditions=@operator-path/source", main, "ui", ...args], {
    env: { ...process.env, KUBECONFIG: join(folder, "kubeconfig"), HOME: folder },
    stdio: ["ignore", "pipe", "pipe"],
  });
  return { child, exited: once(child, "exit") };
}

test("names the cluster, serves the page once to one browser, and ends with a signal", async () => {
  const { child, exited } = start();
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => String((await lines.next()).value);
  const server = cluster.kubeConfig.getCurrentCluster()?.server;
  expect(await next()).toContain(`(${server}), read-only, at`);
  const url = (await next()).trim();
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43}$/);
  const first = await fetch(url, { redirect: "manual" });
  expect(first.status).toBe(303);
  const cookie = first.headers.get("set-cookie")?.split(";")[0] ?? "";
  const page = await (await fetch(new URL("/", url), { headers: { cookie } })).text();
  const [, script = ""] = /<script type="module" src="([^"]+)"/.exec(page) ?? [];
  expect((await fetch(new URL(script, url), { headers: { cookie } })).status).toBe(200);
  expect((await fetch(url, { redirect: "manual" })).status).toBe(401);
  let options = await next();
  while (!options.includes("NODE_OPTIONS=")) options = await next();
  const preload = fileURLToPath(options.slice(options.indexOf("file:")));
  expect(existsSync(preload)).toBe(true);
  child.kill("SIGTERM");
  expect(await exited).toEqual([0, null]);
  expect(existsSync(preload)).toBe(false);
});

test("runs an operator that records its reconciles, and ends with its exit code", async () => {
  const program = "console.log(process.env.NODE_OPTIONS); process.exitCode = 3";
  const { child, exited } = start("--", process.execPath, "-e", program);
  const output = await text(child.stdout);
  expect(await exited).toEqual([3, null]);
  expect(output).toMatch(/^ {2}http:\/\/127\.0\.0\.1:\d+\/\?token=/m);
  const [preload = ""] = /file:\S+/.exec(output) ?? [];
  expect(preload).toContain("operator-path-ui-");
  expect(existsSync(fileURLToPath(preload))).toBe(false);
});

test("stops the operator in order at SIGTERM", async () => {
  const program =
    'process.on("SIGTERM", () => process.exit(7)); console.log("up"); setInterval(() => {}, 1000)';
  const { child, exited } = start("--", process.execPath, "-e", program);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  while (String((await lines.next()).value) !== "up");
  child.kill("SIGTERM");
  expect(await exited).toEqual([7, null]);
});

test.each([
  [["--context", "prod"], 'error: there is no context "prod"; existing contexts: '],
  [["--port", "x"], "A port is a number from 0 to 65535"],
])("with %s it says what is wrong", async (args, message) => {
  const { child, exited } = start(...args);
  expect(await text(child.stderr)).toContain(message);
  expect(await exited).toEqual([1, null]);
});

test("a server that does not answer is one line", async () => {
  const dead = cluster.kubeConfig.exportConfig().replace(/127\.0\.0\.1:\d+/g, "127.0.0.1:1");
  await writeFile(join(folder, "dead"), dead);
  const main = join(import.meta.dirname, "../main.ts");
  const child = spawn(process.execPath, ["--conditions=@operator-path/source", main, "ui"], {
    env: { ...process.env, KUBECONFIG: join(folder, "dead"), HOME: folder },
    stdio: ["ignore", "ignore", "pipe"],
  });
  expect(await text(child.stderr)).toMatch(
    /^error: the cluster of the context .* cannot be shown: .*ECONNREFUSED.*\n$/,
  );
});
