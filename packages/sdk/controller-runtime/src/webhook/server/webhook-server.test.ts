import { once } from "node:events";
import { mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { Agent } from "node:https";
import { connect as openSocket } from "node:net";
import { join } from "node:path";
import { type ConnectionOptions, connect } from "node:tls";
import { createServingCertificate } from "@operator-path/client/certificates";
import { createFakeClock } from "@operator-path/client/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import { post, type Reply } from "../testing/request.ts";
import { recordingLogger, serveWebhooks, until } from "../testing/webhook-bench.ts";
import { textAnswer, type WebhookRequest } from "./handler.ts";
import { maxRequestBytes } from "./read-body.ts";
import { createWebhookServer } from "./webhook-server.ts";

interface Handshake {
  protocol: string | null;
  alpn: string | false | null;
  certificate: string | undefined;
}

function handshake(port: number, options: ConnectionOptions = {}): Promise<Handshake> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", rejectUnauthorized: false, ...options });
    socket.on("secureConnect", () => {
      resolve({
        protocol: socket.getProtocol(),
        alpn: socket.alpnProtocol,
        certificate: socket.getPeerX509Certificate()?.toString(),
      });
      socket.destroy();
    });
    socket.on("error", reject);
  });
}

describe("a webhook server", () => {
  test("answers registered paths, also late ones, and no others", async () => {
    const { webhookServer, url, authority } = await serveWebhooks();
    const echo = ({ body, path }: WebhookRequest) => textAnswer(200, `${path} ${body}`);
    webhookServer.register("/a", echo);
    expect(await post(`${url}/a?timeout=10s`, "x", { ca: authority })).toEqual({
      status: 200,
      body: "/a x\n",
    });
    expect(await post(`${url}/b`, "x", { ca: authority })).toEqual({
      ...{ status: 404, body: "404 page not found\n" },
    });
    webhookServer.register("/b", echo);
    expect((await post(`${url}/b`, "x", { ca: authority })).status).toBe(200);
    expect(() => webhookServer.register("/a", echo)).toThrow("can't register duplicate path: /a");
    expect(() => webhookServer.register("a", echo)).toThrow('"a" is not a valid webhook path');
  });

  test("accepts 7 MiB and not a byte more, with or without a Content-Length", async () => {
    const { webhookServer, url, authority } = await serveWebhooks();
    webhookServer.register("/a", ({ body }) => textAnswer(200, String(body.length)));
    const most = Buffer.alloc(maxRequestBytes);
    const more = Buffer.alloc(maxRequestBytes + 1);
    const agent = new Agent({ ca: authority, keepAlive: true });
    onTestFinished(() => agent.destroy());
    expect(await post(`${url}/a`, most, { agent })).toEqual({ status: 200, body: "7340032\n" });
    const tooLarge: Reply = { status: 413, body: "request entity is too large; limit is 7340032 bytes\n" };
    expect(await post(`${url}/a`, more, { agent })).toEqual(tooLarge);
    expect(await post(`${url}/a`, more, { agent, chunked: true })).toEqual(tooLarge);
    expect((await post(`${url}/a`, most, { agent })).status).toBe(200);
  });

  test("offers TLS 1.2 and newer, and HTTP/1.1", async () => {
    const { webhookServer } = await serveWebhooks();
    const port = webhookServer.port() ?? 0;
    expect((await handshake(port)).protocol).toBe("TLSv1.3");
    expect((await handshake(port, { maxVersion: "TLSv1.2" })).protocol).toBe("TLSv1.2");
    const old: ConnectionOptions = {
      minVersion: "TLSv1",
      maxVersion: "TLSv1.1",
      ciphers: "DEFAULT@SECLEVEL=0",
    };
    await expect(handshake(port, old)).rejects.toThrow(/protocol version|unsupported protocol/i);
    expect((await handshake(port, { ALPNProtocols: ["h2", "http/1.1"] })).alpn).toBe("http/1.1");
    await expect(handshake(port, { ALPNProtocols: ["h2"] })).rejects.toThrow(/no application protocol/i);
  });

  test("is healthy while it answers", async () => {
    const { log } = recordingLogger();
    const fresh = createWebhookServer({ log });
    await expect(fresh.startedChecker()).rejects.toThrow("webhook server has not been started yet");
    const { webhookServer, stop } = await serveWebhooks();
    await webhookServer.startedChecker();
    await stop();
    await expect(webhookServer.startedChecker()).rejects.toThrow("has not been started");
  });

  test("requires a client certificate if configured", async () => {
    const ca = createServingCertificate(["client"], Date.now());
    const folder = (await serveWebhooks()).folder;
    await writeFile(join(folder, "client-ca.crt"), ca.caCertificate);
    const { webhookServer, url } = await serveWebhooks({ certDir: folder, clientCAName: "client-ca.crt" });
    webhookServer.register("/a", () => textAnswer(200, "hello"));
    await expect(post(`${url}/a`, "x", { rejectUnauthorized: false })).rejects.toThrow();
  });

  test("reports a missing certificate and a used port", async () => {
    const { log } = recordingLogger();
    const signal = new AbortController().signal;
    const bare = createWebhookServer({ certDir: "/nowhere", log });
    await expect(bare.start(signal)).rejects.toThrow(
      /^the webhook server has no certificate: ENOENT.*mount one at \/nowhere, set certDir, or set issueCertificates/,
    );
    const { folder, webhookServer } = await serveWebhooks();
    const port = webhookServer.port() ?? 0;
    const second = createWebhookServer({ host: "127.0.0.1", port, certDir: folder, log });
    await expect(second.start(signal)).rejects.toThrow(
      `the webhook server cannot listen on 127.0.0.1:${port}: listen EADDRINUSE`,
    );
    expect(() => createWebhookServer({ port: 70_000, log })).toThrow("set one from 0 to 65535");
  });

  test("finishes running requests at shutdown, and aborts handlers after the timeout", async () => {
    const clock = createFakeClock();
    const { webhookServer, url, authority, stop } = await serveWebhooks({ clock });
    const release = Promise.withResolvers<void>();
    const began = Promise.withResolvers<void>();
    const stuck = Promise.withResolvers<AbortSignal>();
    webhookServer.register("/slow", async () => {
      began.resolve();
      await release.promise;
      return textAnswer(200, "done");
    });
    webhookServer.register("/stuck", ({ signal }) => {
      stuck.resolve(signal);
      return new Promise(() => {});
    });
    const agent = new Agent({ ca: authority, keepAlive: true });
    onTestFinished(() => agent.destroy());
    const slow = post(`${url}/slow`, "x", { agent });
    const lost = post(`${url}/stuck`, "x", { agent });
    lost.catch(() => {});
    await began.promise;
    const signal = await stuck.promise;
    const stopped = stop();
    await until(() => expect(post(`${url}/slow`, "x", { ca: authority })).rejects.toThrow("ECONNREFUSED"));
    release.resolve();
    expect(await slow).toEqual({ status: 200, body: "done\n" });
    await clock.advance(59_000);
    expect(signal.aborted).toBe(false);
    await clock.advance(1_000);
    await stopped;
    expect(signal.aborted).toBe(true);
    await expect(lost).rejects.toThrow();
  });

  test("answers new connections at shutdown, and waits at most five seconds for their requests", async () => {
    const clock = createFakeClock();
    const { webhookServer, url, authority, stop } = await serveWebhooks({ clock });
    webhookServer.register("/a", async () => textAnswer(200, "done"));
    const port = Number(new URL(url).port);
    // Also accepted first.
    const silent = openSocket(port, "127.0.0.1");
    const caller = connect({ port, host: "127.0.0.1", ca: authority }).setEncoding("utf8");
    onTestFinished(() => void [caller.destroy(), silent.destroy()]);
    await Promise.all([once(caller, "secureConnect"), once(silent, "connect")]);
    const stopped = stop();
    await until(() => expect(post(`${url}/a`, "x", { ca: authority })).rejects.toThrow("ECONNREFUSED"));
    caller.write("POST /a HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 0\r\n\r\n");
    const [answer] = await once(caller, "data");
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
    await once(caller, "close");
    const hungUp = once(silent.resume(), "close");
    await clock.advance(5_000);
    await Promise.all([hungUp, stopped]);
  });

  test("aborts a handler when its caller disconnects", async () => {
    const { webhookServer, url, authority } = await serveWebhooks();
    const asked = Promise.withResolvers<AbortSignal>();
    webhookServer.register("/a", ({ signal }) => {
      asked.resolve(signal);
      return new Promise((resolve) => signal.addEventListener("abort", () => resolve(textAnswer(200, ""))));
    });
    const leaving = new AbortController();
    const call = post(`${url}/a`, "x", { ca: authority, signal: leaving.signal });
    const signal = await asked.promise;
    leaving.abort();
    await expect(call).rejects.toThrow("aborted");
    await until(() => expect(signal.aborted).toBe(true));
  });
});

/** Writes a pair into a folder as the kubelet does: a new folder, then one symbolic link to it. */
async function mount(folder: string, pair: { certificate: string; privateKey: string }, version: string) {
  const data = join(folder, `..${version}`);
  await mkdir(data);
  await writeFile(join(data, "tls.crt"), pair.certificate);
  await writeFile(join(data, "tls.key"), pair.privateKey);
  await symlink(`..${version}`, join(folder, "..data_tmp"));
  await rename(join(folder, "..data_tmp"), join(folder, "..data"));
}

test("serves a changed mounted Secret on new connections without a failed request", async () => {
  const { folder } = await serveWebhooks();
  for (const name of ["tls.crt", "tls.key"]) {
    await rm(join(folder, name));
    await symlink(`..data/${name}`, join(folder, name));
  }
  const pairs = [1, 2, 3].map(() => createServingCertificate(["127.0.0.1"], Date.now()));
  const [first, second, third] = pairs;
  if (!first || !second || !third) throw new Error("three pairs were made");
  await mount(folder, first, "1");
  const clock = createFakeClock();
  const { webhookServer, url, lines } = await serveWebhooks({ certDir: folder, clock });
  webhookServer.register("/a", () => textAnswer(200, "hello"));
  // Trusts all three, as a bundle does during a rotation. Half of the calls keep their connection.
  const ca = pairs.map(({ caCertificate }) => caCertificate);
  const keepAlive = new Agent({ ca, keepAlive: true });
  onTestFinished(() => keepAlive.destroy());
  let going = true;
  let answered = 0;
  const failures: unknown[] = [];
  const callers = [{ agent: keepAlive }, { ca, agent: false as const }].map(async (options) => {
    while (going) {
      try {
        expect((await post(`${url}/a`, "x", options)).status).toBe(200);
        answered += 1;
      } catch (error) {
        failures.push(error);
      }
    }
  });
  onTestFinished(async () => {
    going = false;
    await Promise.all(callers);
  });
  const servedNow = async () => (await handshake(webhookServer.port() ?? 0)).certificate;
  expect(await servedNow()).toBe(first.certificate);
  await mount(folder, second, "2");
  // The folder is watched, so the test need not wait for the next check.
  await until(async () => expect(await servedNow()).toBe(second.certificate));
  // Skips a certificate whose key has not been written yet.
  await writeFile(join(folder, "..2", "tls.crt"), third.certificate);
  await clock.advance(10_000);
  await until(() => expect(lines.join("\n")).toContain("do not match"));
  expect(await servedNow()).toBe(second.certificate);
  await writeFile(join(folder, "..2", "tls.key"), third.privateKey);
  // Below the watched folder, so only the next check sees it.
  await clock.advance(10_000);
  await until(async () => expect(await servedNow()).toBe(third.certificate));
  const soFar = answered;
  await until(() => expect(answered).toBeGreaterThan(soFar + 10));
  expect(failures).toEqual([]);
  expect(await readFile(join(folder, "tls.crt"), "utf8")).toBe(third.certificate);
});
