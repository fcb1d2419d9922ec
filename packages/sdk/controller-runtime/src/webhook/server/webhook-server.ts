import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { SecureContextOptions } from "node:tls";
import { systemClock } from "@operator-path/client";
import type { KeyPair } from "@operator-path/client/certificates";
import type { Check } from "../../healthz/check.ts";
import { serverCloser } from "../../http/close-server.ts";
import { listen } from "../../http/listen.ts";
import { createLogger } from "../../log/create-logger.ts";
import type { Runnable } from "../../manager/runnable.ts";
import { untilAborted } from "../../until-aborted.ts";
import { type ConverterRegistry, createConverterRegistry } from "../conversion/converter.ts";
import { watchCertificateFiles } from "./certificate-files.ts";
import type { WebhookHandler } from "./handler.ts";
import { noMetrics } from "./no-metrics.ts";
import { defaultCertDir, type WebhookServerOptions } from "./options.ts";
import { createRouter } from "./router.ts";
import { createStartedCheck } from "./started-check.ts";

/**
 * Answers the API server's webhook calls. A Runnable: `manager.add(server)`. It does not wait for leadership.
 * Go: webhook.Server.
 *
 * It speaks only TLS 1.2 or newer and HTTP/1.1. A changed certificate applies to new connections, and no
 * request fails because of it. At shutdown it accepts no more connections and finishes running requests.
 */
export interface WebhookServer extends Runnable {
  /**
   * Adds a handler, before or after the start.
   *
   * @throws Error when the path is taken
   * @throws TypeError when the path is invalid
   */
  register(path: string, handler: WebhookHandler): void;
  /** Returns whether the path has a handler. */
  registered(path: string): boolean;
  /** The converters of all kinds, for /convert. */
  readonly converters: ConverterRegistry;
  /** Fails until the server answers TLS. For `addReadyzCheck`. Go: StartedChecker. */
  readonly startedChecker: Check;
  /** Returns the port while the server listens. */
  port(): number | undefined;
}

/**
 * Creates a webhook server. It opens nothing before it starts. Go: webhook.NewServer.
 *
 * @throws RangeError when the port is invalid
 */
export function createWebhookServer(options: WebhookServerOptions = {}): WebhookServer {
  const { host, port = 9443, certDir = defaultCertDir(), clientCAName } = options;
  const { shutdownTimeout = 60_000, clock = systemClock, metrics = noMetrics } = options;
  const log = (options.log ?? createLogger({ clock })).child({ logger: "webhook" });
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new RangeError(`the webhook server's port is ${port}: set one from 0 to 65535`);
  }
  const certificates =
    options.certificates ??
    watchCertificateFiles({
      certificateFile: join(certDir, options.certName ?? "tls.crt"),
      keyFile: join(certDir, options.keyName ?? "tls.key"),
      interval: options.certificateInterval ?? 10_000,
      ...{ log, clock, metrics },
    });
  const router = createRouter(metrics, () => clock.steady(), log);
  const listening = Promise.withResolvers<void>();
  // Avoids an unhandled rejection: the runnable itself also rejects.
  listening.promise.catch(() => {});
  let server: Server | undefined;
  let close: ReturnType<typeof serverCloser> | undefined;

  const portNow = () => (server?.address() as AddressInfo | null | undefined)?.port;

  async function clientAuthority(): Promise<SecureContextOptions> {
    return clientCAName ? { ca: await readFile(join(certDir, clientCAName), "utf8") } : {};
  }

  async function open(signal: AbortSignal): Promise<Server> {
    const authority = await clientAuthority();
    let current: Server | undefined;
    let first: KeyPair | undefined;
    const contextOf = ({ certificate, privateKey }: KeyPair): SecureContextOptions => ({
      ...{ cert: certificate, key: privateKey, minVersion: "TLSv1.2" },
      ...authority,
    });
    await certificates.start(signal, (pair) => {
      first = pair;
      // Open connections keep their certificate.
      current?.setSecureContext(contextOf(pair));
    });
    if (!first) throw new Error("the webhook server did not receive a certificate");
    const own = createServer(
      {
        ...contextOf(first),
        ...(clientCAName ? { requestCert: true, rejectUnauthorized: true } : {}),
        ALPNProtocols: ["http/1.1"],
        headersTimeout: 32_000,
        requestTimeout: 60_000,
        // Longer than the API server keeps a connection, so that the API server closes it.
        keepAliveTimeout: 120_000,
      },
      (message, response) => void router.answer(message, response),
    );
    close = serverCloser(own);
    own.on("tlsClientError", (error) => log.debug({ error }, "TLS handshake failed"));
    await listen(own, { port, ...(host ? { host } : {}) });
    current = own;
    return own;
  }

  return {
    name: "webhook server",
    group: "webhooks",
    needLeaderElection: false,
    register: router.register,
    registered: router.registered,
    converters: createConverterRegistry(),
    startedChecker: createStartedCheck(portNow, host),
    port: portNow,
    ready: () => listening.promise,
    async start(signal) {
      // Also aborts when the start fails, to end the watches.
      const ending = new AbortController();
      log.info("Starting webhook server");
      try {
        server = await open(AbortSignal.any([signal, ending.signal]));
      } catch (error) {
        ending.abort(error);
        const failure = signal.aborted ? error : describe(error, host, port);
        listening.reject(failure);
        if (signal.aborted) return;
        throw failure;
      }
      log.info({ host: host ?? "", port: portNow() }, "Serving webhook server");
      listening.resolve();
      await untilAborted(signal);
      log.info(`Shutting down webhook server with timeout of ${shutdownTimeout / 1000}s`);
      const onLate = () => log.warn("Requests did not end in time, closing their connections");
      await close?.({ clock, patience: shutdownTimeout, onLate });
      server = undefined;
      await certificates.ended?.();
    },
  };
}

function describe(error: unknown, host: string | undefined, port: number): unknown {
  if (!(error instanceof Error) || !("syscall" in error) || error.syscall !== "listen") return error;
  return new Error(
    `the webhook server cannot listen on ${host ?? ""}:${port}: ${error.message}; set another port`,
    { cause: error },
  );
}
