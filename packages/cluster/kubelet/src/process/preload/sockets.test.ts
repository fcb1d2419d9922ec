import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { writePreload } from "../write-preload.ts";

let folder: string;
let preload: string;
let server: Server;
let reached = 0;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "sockets-"));
  const modules = await writePreload(join(folder, "preload"));
  const url = (name: string) => JSON.stringify(pathToFileURL(join(modules, name)).href);
  server = createServer((socket) => {
    reached++;
    socket.destroy();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  preload = join(folder, "first.mjs");
  writeFileSync(
    preload,
    `import { guardSockets } from ${url("sockets.mjs")};
     import { confineDatagrams } from ${url("datagrams.mjs")};
     const guard = guardSockets([]); confineDatagrams();
     const [port] = process.argv.slice(-1);
     if (process.argv.includes("admit")) guard.admit(Number(port));`,
  );
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

/**
 * Runs a program behind the guard.
 * @returns the JSON that it printed
 */
function run(program: string, ...words: string[]): unknown {
  const { port } = server.address() as { port: number };
  const file = join(folder, "main.cjs");
  writeFileSync(
    file,
    `const net = require("node:net"), dgram = require("node:dgram"); const port = ${port};
     const connect = (to) => new Promise((resolve) => net.connect(to).on("connect", () => resolve("connected")).on("error", (error) => resolve(error.code)));
     const listen = (...to) => new Promise((resolve) => { const s = net.createServer(); s.on("error", (error) => resolve(error.code)).listen(...to, () => { s.close(); resolve("listens"); }); });
     (async () => { console.log(JSON.stringify(await (async () => { ${program} })())); process.exit(); })();`,
  );
  const args = ["--no-warnings", `--import=${pathToFileURL(preload)}`, file, ...words, String(port)];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", timeout: 30_000 });
  expect(stderr).toBe("");
  return JSON.parse(stdout);
}

it("refuses connections to the loopback in every spelling of an address", () => {
  const hosts = ["127.0.0.1", "127.1", "localhost", "0x7f000001", "::1", "::ffff:127.0.0.1", "0.0.0.0", "::"];
  const output = run(
    `return Promise.all(${JSON.stringify(hosts)}.map((host) => connect({ host, port, autoSelectFamily: false })));`,
  );
  expect(new Set(output as string[])).toEqual(new Set(["ECONNREFUSED"]));
  expect(reached).toBe(0);
});

it("admits one connection to a port", async () => {
  const to = '{ host: "127.0.0.1", port }';
  expect(run(`return [await connect(${to}), await connect(${to})];`, "admit")).toEqual([
    "connected",
    "ECONNREFUSED",
  ]);
  await expect.poll(() => reached).toBe(1);
});

it("refuses Unix sockets, and servers that the network could reach", () => {
  const path = JSON.stringify(join(folder, "socket"));
  expect(
    run(
      `return [await connect({ path: ${path} }), await listen(${path}), await listen(0, "0.0.0.0"), await listen(0), await listen(0, "127.0.0.1")];`,
    ),
  ).toEqual(["EACCES", "EACCES", "EACCES", "EACCES", "listens"]);
});

it("sends datagrams on the loopback only to the process's own sockets", () => {
  const program = `
    const bound = (...to) => new Promise((resolve) => { const s = dgram.createSocket("udp4"); s.bind(...to, () => resolve(s)); });
    const send = (to) => new Promise((resolve) => dgram.createSocket("udp4").send("x", to, "127.0.0.1", (error) => resolve(error?.code ?? "sent")));
    const [one, other] = [await bound(0), await bound({ port: 0, address: "0.0.0.0" })];
    return [one.address().address, other.address().address, await send(one.address().port), await send(port)];`;
  expect(run(program)).toEqual(["127.0.0.1", "127.0.0.1", "sent", "ECONNREFUSED"]);
});

it("opens no other address with a socket's port, and none after the socket is closed", () => {
  const program = `
    const bound = (port, address) => new Promise((resolve) => { const s = dgram.createSocket("udp4"); s.bind(port, address, () => resolve(s)); });
    const send = (to, host) => new Promise((resolve) => dgram.createSocket("udp4").send("x", to, host, (error) => resolve(error?.code ?? "sent")));
    const one = await bound(0, "127.0.0.2"); const { port: own } = one.address();
    const before = [await send(own, "127.0.0.2"), await send(own, "127.0.0.1"), await send(own, "0.0.0.0")];
    await new Promise((resolve) => one.close(resolve));
    return [...before, await send(own, "127.0.0.2")];`;
  expect(run(program)).toEqual(["sent", "ECONNREFUSED", "ECONNREFUSED", "ECONNREFUSED"]);
});

it.each(["TCP", "UDP"])("ends the process where Node's %s handles have no method that it guards", (kind) => {
  const first = join(folder, `without-${kind}.mjs`);
  writeFileSync(
    first,
    `import dgram from "node:dgram"; import net from "node:net";
     const tcp = net._createServerHandle("127.0.0.1", 0, 4); tcp.close();
     const socket = dgram.createSocket("udp4"); socket.close = () => {};
     const udp = Object.getOwnPropertySymbols(socket).map((symbol) => socket[symbol]?.handle).find(Boolean);
     delete Object.getPrototypeOf({ TCP: tcp, UDP: udp }["${kind}"]).connect6;`,
  );
  const args = ["--no-warnings", `--import=${pathToFileURL(first)}`, `--import=${pathToFileURL(preload)}`];
  const { status, stderr } = spawnSync(process.execPath, [...args, "-e", "0"], { encoding: "utf8" });
  expect(stderr).toMatch(/cannot guard the network.*connect6/);
  expect(status).toBe(1);
});
