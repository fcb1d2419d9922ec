import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "node:tls";
import { clusterRoleBindings, createClientOn, type Transport } from "@operator-path/client";
import { createServingCertificate } from "@operator-path/client/certificates";
import { createFakeClock } from "@operator-path/client/testing";
import { Registry } from "prom-client";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createLogger } from "../log/create-logger.ts";
import type { MetricsServerOptions } from "./metrics-options.ts";
import { createMetricsServer } from "./metrics-server.ts";
import { serving, startMetrics } from "./testing/metrics-bench.ts";
import { scrape } from "./testing/scrape.ts";

const text = [
  "# HELP shop_orders_total Orders",
  "# TYPE shop_orders_total counter",
  'shop_orders_total{kind="pizza"} 3',
  "",
].join("\n");

describe("the metrics server", () => {
  test("answers only clients that may get /metrics", async () => {
    const { get, tokenOf, allow } = await startMetrics();
    expect(await get()).toMatchObject({ status: 401, body: "Unauthorized\n" });
    expect(await get("unknown")).toMatchObject({ status: 401, body: "Unauthorized\n" });
    const stranger = await tokenOf("stranger");
    expect(await get(stranger)).toMatchObject({
      status: 403,
      body: "Authorization denied for user system:serviceaccount:default:stranger\n",
    });
    const prometheus = await tokenOf("prometheus");
    await allow("prometheus");
    expect(await get(prometheus)).toMatchObject({
      status: 200,
      body: text,
      headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" },
    });
    expect(await get(prometheus, "/debug")).toMatchObject({ status: 404, body: "404 page not found\n" });
    expect(await get(prometheus, "/metrics", { "accept-encoding": "gzip" })).toMatchObject({
      body: text,
      headers: { "content-encoding": "gzip" },
    });
  });

  test("reports its address, also for a free port", async () => {
    const { address, logged } = await startMetrics();
    expect(logged.join()).toContain(`"address":"${address}"`);
  });

  test("repeats a TokenReview after one minute and a SubjectAccessReview after five", async () => {
    const { get, tokenOf, allow, admin, reviews, clock } = await startMetrics();
    const token = await tokenOf("prometheus");
    await allow("prometheus");
    await Promise.all([get(token), get(token)]);
    expect(reviews).toEqual(["POST tokenreviews", "POST subjectaccessreviews"]);
    await admin.resource(clusterRoleBindings).delete("reader-prometheus");
    await clock.advance(59_999);
    expect((await get(token)).status).toBe(200);
    expect(reviews.length).toBe(2);
    await clock.advance(1);
    expect((await get(token)).status).toBe(200);
    expect(reviews.slice(2)).toEqual(["POST tokenreviews"]);
    await clock.advance(240_000);
    expect((await get(token)).status).toBe(403);
    expect(reviews.slice(3)).toEqual(["POST tokenreviews", "POST subjectaccessreviews"]);
  });

  test("repeats a denied review after half a minute", async () => {
    const { get, tokenOf, allow, clock } = await startMetrics();
    const token = await tokenOf("prometheus");
    expect((await get(token)).status).toBe(403);
    await allow("prometheus");
    await clock.advance(29_999);
    expect((await get(token)).status).toBe(403);
    await clock.advance(1);
    expect((await get(token)).status).toBe(200);
  });

  test("retries while the API server fails, and admits no client meanwhile", async () => {
    const { get, tokenOf, allow, failing, clock, reviews, logged } = await startMetrics();
    const token = await tokenOf("prometheus");
    await allow("prometheus");
    failing.push(...[1, 2, 3, 4, 5].map(() => new Error("socket hang up")));
    const refused = get(token);
    for (const pause of [500, 750, 1125, 1687.5]) {
      await vi.waitFor(() => expect(clock.pending()).toBe(2));
      await clock.advance(pause);
    }
    expect(await refused).toMatchObject({ status: 500, body: "Authentication failed\n" });
    expect(reviews.length).toBe(5);
    expect(logged.join()).toContain("socket hang up");
    expect((await get(token)).status).toBe(200);
  });

  test("authorizes extra handlers by their own paths, and isolates one that throws", async () => {
    const { get, tokenOf, allow } = await startMetrics({
      extraHandlers: {
        "/debug/heap": (_, response) => void response.end("12 MB"),
        "/debug/broken": () => Promise.reject(new Error("no heap")),
      },
    });
    const token = await tokenOf("prometheus");
    await allow("prometheus", "/debug/*");
    expect((await get(token)).status).toBe(403);
    expect(await get(token, "/debug/heap")).toMatchObject({ status: 200, body: "12 MB" });
    expect(await get(token, "/debug/broken")).toMatchObject({ status: 500, body: "internal error\n" });
    expect((await get(undefined, "/debug/heap")).status).toBe(401);
  });

  test("answers any client over HTTP when secure is false", async () => {
    const { get, reviews } = await startMetrics({ secure: false });
    expect(await get()).toMatchObject({ status: 200, body: text });
    expect(reviews).toEqual([]);
  });

  test("offers no HTTP/2 and no TLS before 1.2", async () => {
    const { address } = await startMetrics();
    const port = Number(address.split(":").at(-1));
    const options = { port, host: "127.0.0.1", ca: serving.caCertificate, servername: "localhost" };
    const chosen = await new Promise((resolve, reject) => {
      const socket = connect({ ...options, ALPNProtocols: ["h2", "http/1.1"] }, () => {
        resolve(socket.alpnProtocol);
        socket.destroy();
      });
      socket.on("error", reject);
    });
    expect(chosen).toBe("http/1.1");
    await expect(
      new Promise((resolve, reject) => {
        const old = { minVersion: "TLSv1.1", maxVersion: "TLSv1.1", ciphers: "ALL@SECLEVEL=0" } as const;
        connect({ ...options, ...old }, () => resolve(undefined)).on("error", reject);
      }),
    ).rejects.toThrow(/protocol version|unsupported/);
  });

  test("issues a certificate when none is configured, and replaces it in time", async () => {
    const { address, get, clock } = await startMetrics({ certificates: undefined });
    const certificate = () =>
      new Promise<string>((resolve, reject) => {
        const port = Number(address.split(":").at(-1));
        // Not signed by a known authority.
        const socket = connect({ port, host: "127.0.0.1", rejectUnauthorized: false }, () => {
          const { subjectaltname, fingerprint256 } = socket.getPeerCertificate();
          expect(subjectaltname).toBe("DNS:localhost, IP Address:127.0.0.1");
          resolve(fingerprint256);
          socket.destroy();
        });
        socket.on("error", reject);
      });
    const first = await certificate();
    expect(await certificate()).toBe(first);
    await clock.advance(30 * 24 * 3_600_000);
    expect(await certificate()).not.toBe(first);
    await expect(get()).rejects.toThrow(/certificate|issuer/);
    expect((await scrape(`https://${address}/metrics`)).status).toBe(401);
  });

  test("reads its certificate from files, and reloads it without a restart", async () => {
    const certDir = await mkdtemp(join(tmpdir(), "metrics-certificates-"));
    onTestFinished(() => rm(certDir, { recursive: true }));
    await expect(startMetrics({ certificates: undefined, certDir })).rejects.toThrow(
      /^the metrics server has no certificate: ENOENT.*leave certDir out to generate one$/,
    );
    const write = async ({ certificate, privateKey }: typeof serving) => {
      await writeFile(join(certDir, "tls.crt"), certificate);
      await writeFile(join(certDir, "tls.key"), privateKey);
    };
    await write(serving);
    const { address, get, clock } = await startMetrics({ certificates: undefined, certDir });
    expect((await get()).status).toBe(401);
    const next = createServingCertificate(["localhost", "127.0.0.1"], Date.now());
    await write(next);
    await vi.waitFor(async () => {
      await clock.advance(10_000);
      expect((await scrape(`https://${address}/metrics`, { ca: next.caCertificate })).status).toBe(401);
    });
  });

  test("reports a used port, and the solution", async () => {
    const { address } = await startMetrics();
    await expect(startMetrics({ bindAddress: address })).rejects.toThrow(
      `the metrics server cannot listen on ${address}: listen EADDRINUSE: address already in use ${address}; set metricsServer.bindAddress to another port, or to "0" for none`,
    );
  });

  test.each([
    [{ bindAddress: "8443" }, 'metricsServer.bindAddress is "8443"'],
    [{ secure: false, profiling: true }, "metricsServer.profiling needs secure: true"],
    [
      { profiling: true, extraHandlers: { "/debug/pprof/heap": () => {} } },
      "metricsServer.extraHandlers: profiling already uses /debug/pprof/heap",
    ],
    [{ extraHandlers: { "/metrics": () => {} } }, "overriding builtin /metrics endpoint is not allowed"],
  ])("rejects %o", (options, message) => {
    const context = {
      registry: new Registry(),
      transport: createClientOn({} as Transport),
      log: createLogger(),
      clock: createFakeClock(),
      random: () => 0,
    };
    const certificates = { start: () => Promise.resolve() };
    const given = { bindAddress: ":0", certificates, ...options } as MetricsServerOptions;
    expect(() => createMetricsServer(given, context)).toThrow(message);
  });
});
