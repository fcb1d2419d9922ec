import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { InMemorySpanExporter } from "@opentelemetry/sdk-trace-base";
import { configMaps } from "@operator-path/client";
import { startTestCluster } from "@operator-path/cluster/testing";
import { createManager } from "@operator-path/controller-runtime";
import { eventually } from "@operator-path/controller-runtime/testing";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { debuggable, setupNotes } from "./debugging.ts";

const cluster = await startTestCluster();
afterAll(() => cluster.stop());
const notes = cluster.client.resource(configMaps).namespace("default");
const folder = mkdtempSync(join(tmpdir(), "recipes-debugging-"));
afterAll(() => rmSync(folder, { recursive: true }));
const KUBECONFIG = join(folder, "kubeconfig");
writeFileSync(KUBECONFIG, cluster.kubeConfig.exportConfig(), { mode: 0o600 });

const main = join(import.meta.dirname, "main.ts");
const sdk = import.meta.resolve("@operator-path/controller-runtime/package.json");
const operatorDev = fileURLToPath(new URL("bin/operator-dev.js", sdk));

test.each([
  ["node --inspect", "paused-by-node", async () => ["--inspect=127.0.0.1:0", main]],
  [
    "operator-dev --inspect",
    "paused-by-operator-dev",
    async () => [operatorDev, "--inspect", await freePort(), "--no-ahead", main],
  ],
] as const)("%s: a breakpoint in reconcile pauses with the request in scope", async (_, name, args) => {
  const operator = start(await args());
  const url = await eventually(() => operator.find(/Debugger listening on (ws:\S+)/), { timeout: 60_000 });
  await eventually(() => operator.find(/Manager started|Starting workers/), { timeout: 60_000 });
  await using debug = await attach(url);
  await debug.send("Debugger.enable");
  const source = readFileSync(join(import.meta.dirname, "debugging.ts"), "utf8").split("\n");
  const lineNumber = source.findIndex((line) => line.includes("log.debug("));
  const { locations } = await debug.send("Debugger.setBreakpointByUrl", {
    urlRegex: "/debugging/debugging\\.ts$",
    lineNumber,
    // The operator may still be at the ConfigMaps that were there when it started.
    condition: `request.name === "${name}"`,
  });
  expect(locations).toHaveLength(1);

  const paused = debug.once("Debugger.paused");
  await notes.create({ metadata: { name }, data: { text: "hello" } });
  const { callFrames } = await paused;
  const [{ callFrameId, location }] = callFrames as [
    { callFrameId: string; location: { lineNumber: number } },
  ];
  expect(location.lineNumber).toBe(lineNumber);
  const expression = "[request.namespace, request.name, cause.trigger, note.data.text].join()";
  const { result } = await debug.send("Debugger.evaluateOnCallFrame", { callFrameId, expression });
  expect(result).toMatchObject({ value: `default,${name},added,hello` });
  await debug.send("Debugger.disable");
});

test("LOG_LEVEL=debug says why each reconcile came", async () => {
  const operator = start([main], { LOG_LEVEL: "debug" });
  await notes.create({ metadata: { name: "empty" }, data: { text: "" } });
  await eventually(() => operator.find(/"retries":1/), { timeout: 60_000 });
  const read = operator.lines().filter((line) => line.name === "empty" && line.msg === "Read the note");
  expect(read[0]?.cause).toMatchObject({ resource: "ConfigMap", object: "default/empty", retries: 0 });
  expect(read[1]?.cause).toMatchObject({ trigger: "backoff", retries: 1 });
  const failed = operator.lines().find((line) => line.level === "error" && line.name === "empty");
  expect(failed).toMatchObject({ error: "the note is empty: write data.text" });
  await notes.delete("empty");
});

test("each reconcile is a span that says why it came", async () => {
  const exporter = new InMemorySpanExporter();
  const manager = createManager(cluster.kubeConfig, debuggable({ LOG_LEVEL: "silent" }, exporter));
  setupNotes(manager);
  const stop = new AbortController();
  const running = manager.start(stop.signal);
  await notes.create({ metadata: { name: "traced" }, data: { text: "hello" } });
  await eventually(() => {
    const span = exporter
      .getFinishedSpans()
      .find(({ attributes }) => attributes["reconcile.name"] === "traced");
    expect(span?.name).toBe("Reconcile notes");
    expect(span?.attributes).toMatchObject({
      "reconcile.trigger.kind": "ConfigMap",
      "reconcile.result": "success",
    });
  });
  stop.abort();
  await running;
});

interface LogLine {
  readonly level: string;
  readonly msg: string;
  readonly name?: string;
  readonly cause?: object;
}

/** Starts a process, and kills it at the end of the test. */
function start(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const child: ChildProcess = spawn(process.execPath, args, {
    env: { ...process.env, KUBECONFIG, NODE_OPTIONS: "--conditions=@operator-path/source", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
  const ended = new Promise((resolve) => child.on("close", resolve));
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await ended;
  });
  return {
    /** @throws Error with the output when it has no match */
    find(pattern: RegExp): string {
      const match = pattern.exec(output);
      if (!match) throw new Error(`no ${pattern} in:\n${output}`);
      return match[1] ?? match[0];
    },
    lines: (): LogLine[] =>
      output.split("\n").flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : [])),
  };
}

/** A connection to the inspector of another process (Chrome DevTools Protocol). */
async function attach(url: string) {
  const socket = new WebSocket(url);
  const answers = new Map<number, (result: Record<string, unknown>) => void>();
  const events = new Map<string, (params: Record<string, unknown>) => void>();
  socket.addEventListener("message", ({ data }) => {
    const { id, result, method, params } = JSON.parse(String(data));
    if (id === undefined) events.get(method)?.(params);
    else answers.get(id)?.(result ?? {});
  });
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", () => reject(new Error(`cannot attach to ${url}`)));
  });
  let next = 1;
  return {
    send: (method: string, params: object = {}) =>
      new Promise<Record<string, unknown>>((resolve) => {
        const id = next++;
        answers.set(id, resolve);
        socket.send(JSON.stringify({ id, method, params }));
      }),
    once: (method: string) =>
      new Promise<Record<string, unknown>>((resolve) => {
        events.set(method, resolve);
      }),
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => socket.addEventListener("close", resolve));
      socket.close();
      await closed;
    },
  };
}

async function freePort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return String(typeof address === "object" ? address?.port : "");
}
