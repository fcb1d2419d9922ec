import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { writePreload } from "../write-preload.ts";
import type { PreloadSettings } from "./settings.ts";

let folder: string;
let preload: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "loopback-"));
  const url = pathToFileURL(join(await writePreload(join(folder, "preload")), "workers.mjs"));
  const settings: PreloadSettings = {
    root: folder,
    mounts: [],
    visible: [folder],
    hostname: "pod",
    pid: 1,
    ppid: 0,
    uid: 0,
    gid: 0,
    ip: "10.244.0.1",
    passThrough: [],
  };
  // A thread's part, in a main thread: what it starts has to have it as well.
  preload = join(folder, "first.mjs");
  writeFileSync(
    preload,
    `import { prepareThread } from ${JSON.stringify(url.href)}; prepareThread(${JSON.stringify(settings)}, import.meta.url);`,
  );
  writeFileSync(join(folder, "worker.cjs"), servers);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Listens in every way that there is, and says where. */
const servers = `
const net = require("node:net"), http = require("node:http"), dgram = require("node:dgram"), os = require("node:os");
const tell = (server, ...args) => new Promise((resolve) => server.listen(...args, () => { resolve(server.address().address); server.close(); }));
const bound = (socket, ...args) => new Promise((resolve) => socket.bind(...args, () => { resolve(socket.address().address); socket.close(); }));
const sent = (socket) => new Promise((resolve) => socket.send("x", 9, "127.0.0.1", () => { resolve(socket.address().address); socket.close(); }));
(async () => console.log(JSON.stringify([os.hostname(), await Promise.all([
  tell(net.createServer()), tell(net.createServer(), 0), tell(net.createServer(), "0", "0.0.0.0", 5), tell(net.createServer(), { port: 0, host: "::" }),
  tell(http.createServer(), { port: 0 }), tell(net.createServer(), 0, "127.evil.invalid"), tell(net.createServer(), {port: 0, host: "localhost"}),
  bound(dgram.createSocket("udp4")), bound(dgram.createSocket("udp4"), 0), bound(dgram.createSocket("udp4"), 0, "0.0.0.0"),
  bound(dgram.createSocket("udp4"), { port: 0, address: "0.0.0.0" }), bound(dgram.createSocket("udp4"), 0, "127.0.0.1"),
]), await sent(dgram.createSocket("udp4"))])))();`;

it.each([
  ["a file", `new Worker(${"FILE"})`],
  ["a file, with options of its own", "new Worker(FILE, { execArgv: [] })"],
  ["text", "new Worker(TEXT, { eval: true })"],
  ["text, with options of its own", "new Worker(TEXT, { eval: true, execArgv: [] })"],
  [
    "text of another thread",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a program's
    "new Worker(`const { Worker } = require('node:worker_threads'); new Worker(${JSON.stringify(TEXT)}, { eval: true })`, { eval: true })",
  ],
  [
    "a module's text",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a program's
    "new Worker(`import { createRequire } from 'node:module'; const require = createRequire('/');${TEXT}`, { eval: true })",
  ],
])("nothing listens on more than the loopback: a thread of %s", (_, make) => {
  const code = `import { Worker } from "node:worker_threads"; const TEXT = ${JSON.stringify(servers)}, FILE = ${JSON.stringify(join(folder, "worker.cjs"))}; ${make};`;
  const args = ["--no-warnings", `--import=${pathToFileURL(preload)}`, join(folder, "main.mjs")];
  writeFileSync(join(folder, "main.mjs"), code);
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", timeout: 30_000 });
  expect(stderr).toBe("");
  const [hostname, addresses, sender] = JSON.parse(stdout);
  expect([hostname, [...new Set(addresses)], sender]).toEqual(["pod", ["127.0.0.1"], "0.0.0.0"]);
});
