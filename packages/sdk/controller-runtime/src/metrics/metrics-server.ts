import { createServer as createHttpServer, type Server } from "node:http";
import { createServer as createHttpsServer, type Server as HttpsServer } from "node:https";
import type { Clock, Transport } from "@operator-path/client";
import type { Registry } from "prom-client";
import { parseBindAddress } from "../healthz/bind-address.ts";
import { serverCloser } from "../http/close-server.ts";
import { listen } from "../http/listen.ts";
import { serverAddress } from "../http/server-address.ts";
import type { Logger } from "../log/logger.ts";
import type { Runnable } from "../manager/runnable.ts";
import { untilAborted } from "../until-aborted.ts";
import type { CertificateSource } from "../webhook/server/certificate-source.ts";
import { certificatesOf } from "./metrics-certificates.ts";
import type { MetricsServerOptions } from "./metrics-options.ts";
import { collectProcessMetrics } from "./process-metrics.ts";
import { profilingHandlers } from "./profiling.ts";
import { createReviews } from "./reviews.ts";
import { answerScrape, metricsPath } from "./scrape.ts";
import { createScrapeAccess } from "./scrape-access.ts";

export interface MetricsServer extends Runnable {
  /** Returns "host:port" while the server listens. */
  address(): string | undefined;
}

export interface MetricsServerContext {
  registry: Registry;
  /** The transport to the API server, which reviews tokens. */
  transport: Transport;
  log: Logger;
  clock: Clock;
  /** Returns a number in [0, 1). */
  random: () => number;
}

/** Milliseconds that running requests have when the server stops. */
const patience = 5_000;

/**
 * Serves the metrics of a registry over HTTP/1.1. It does not offer HTTP/2, because scraping does not need it
 * and floods of reset streams (CVE-2023-44487) are a risk.
 *
 * @throws TypeError or Error naming the invalid option
 */
export function createMetricsServer(
  options: MetricsServerOptions,
  context: MetricsServerContext,
): MetricsServer {
  const { registry, transport, log, clock, random } = context;
  const { bindAddress, secure = true, processMetrics = true, profiling = false } = options;
  const at = parseBindAddress(bindAddress, "metricsServer.bindAddress");
  const extraHandlers = new Map(Object.entries(options.extraHandlers ?? {}));
  if (profiling && !secure) {
    throw new Error(
      "metricsServer.profiling needs secure: true, because a heap snapshot contains everything that the operator knows",
    );
  }
  for (const [path, handler] of Object.entries(profiling ? profilingHandlers({ clock, log }) : {})) {
    if (extraHandlers.has(path))
      throw new Error(`metricsServer.extraHandlers: profiling already uses ${path}`);
    extraHandlers.set(path, handler);
  }
  if (extraHandlers.has(metricsPath)) {
    throw new Error(`metricsServer.extraHandlers: overriding builtin ${metricsPath} endpoint is not allowed`);
  }
  const certificates = secure ? certificatesOf(options, context) : undefined;
  const access = secure ? createScrapeAccess(createReviews(transport, clock, random), clock) : undefined;
  const scrape = { registry, extraHandlers, access, log };
  const listening = Promise.withResolvers<void>();
  // Avoids an unhandled rejection: the runnable itself also rejects.
  listening.promise.catch(() => {});
  let server: Server | HttpsServer | undefined;
  let close: ReturnType<typeof serverCloser> | undefined;

  async function serve(signal: AbortSignal): Promise<void> {
    const own = certificates ? await startSecure(certificates, signal) : createHttpServer();
    close = serverCloser(own);
    own.on("request", (request, response) => void answerScrape(scrape, request, response));
    try {
      await listen(own, at);
    } catch (error) {
      throw new Error(
        `the metrics server cannot listen on ${bindAddress}: ${error instanceof Error ? error.message : error}; set metricsServer.bindAddress to another port, or to "0" for none`,
        { cause: error },
      );
    }
    server = own;
  }

  return {
    name: "metrics server",
    group: "httpServers",
    needLeaderElection: false,
    ready: () => listening.promise,
    address: () => serverAddress(server),
    async start(signal) {
      if (processMetrics) collectProcessMetrics(registry);
      try {
        await serve(signal);
      } catch (error) {
        listening.reject(error);
        throw error;
      }
      log.info({ bindAddress, secure, address: serverAddress(server) }, "Serving metrics server");
      listening.resolve();
      await untilAborted(signal);
      await close?.({ clock, patience });
      server = undefined;
      await certificates?.ended?.();
    },
  };
}

async function startSecure(certificates: CertificateSource, signal: AbortSignal): Promise<HttpsServer> {
  const server = createHttpsServer({ minVersion: "TLSv1.2", ALPNProtocols: ["http/1.1"] });
  await certificates.start(signal, ({ certificate, privateKey }) =>
    // For new connections. Open ones keep their certificate.
    server.setSecureContext({ cert: certificate, key: privateKey, minVersion: "TLSv1.2" }),
  );
  return server;
}
