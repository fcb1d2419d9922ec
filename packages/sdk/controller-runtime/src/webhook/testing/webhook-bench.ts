import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startApiServer } from "@operator-path/apiserver";
import { type Client as Connection, createClient } from "@operator-path/client";
import { createServingCertificate } from "@operator-path/client/certificates";
import { Registry } from "prom-client";
import { onTestFinished, vi } from "vitest";
import { createLogger } from "../../log/create-logger.ts";
import type { Logger } from "../../log/logger.ts";
import { createPrometheusMetrics } from "../../metrics/prometheus-metrics.ts";
import type { WebhookServerOptions } from "../server/options.ts";
import { createWebhookServer, type WebhookServer } from "../server/webhook-server.ts";

/** Returns a logger and its lines. */
export function recordingLogger(): { log: Logger; lines: string[] } {
  const lines: string[] = [];
  const destination = { write: (line: string) => lines.push(line.trim()) };
  return { lines, log: createLogger({ level: "debug", format: "json", destination }) };
}

export interface ServedWebhooks {
  readonly webhookServer: WebhookServer;
  readonly log: Logger;
  readonly metrics: Registry;
  readonly lines: string[];
  /** `https://127.0.0.1:<port>` */
  readonly url: string;
  /** PEM. */
  readonly authority: string;
  /** Returns the clientConfig for a webhook at this path. */
  clientConfig(path: string): { url: string; caBundle: string };
  readonly folder: string;
  /** Resolves when the server has ended. */
  stop(): Promise<void>;
}

/** Runs a webhook server on loopback with certificate files, until the test ends. */
export async function serveWebhooks(options: WebhookServerOptions = {}): Promise<ServedWebhooks> {
  const folder = await mkdtemp(join(tmpdir(), "webhooks-"));
  const { certificate, privateKey, caCertificate } = createServingCertificate(["127.0.0.1"], Date.now());
  await writeFile(join(folder, "tls.crt"), certificate);
  await writeFile(join(folder, "tls.key"), privateKey);
  const { log, lines } = recordingLogger();
  const metrics = new Registry();
  const webhookServer = createWebhookServer({
    ...{ host: "127.0.0.1", port: 0, certDir: folder, log },
    metrics: createPrometheusMetrics(metrics),
    ...options,
  });
  const ending = new AbortController();
  const running = webhookServer.start(ending.signal);
  const stop = () => {
    ending.abort();
    return running;
  };
  onTestFinished(async () => {
    await stop();
    await rm(folder, { recursive: true });
  });
  await webhookServer.ready?.(ending.signal);
  const url = `https://127.0.0.1:${webhookServer.port()}`;
  return {
    ...{ webhookServer, log, metrics, lines, url, authority: caCertificate, folder, stop },
    clientConfig: (path) => ({
      url: `${url}${path}`,
      caBundle: Buffer.from(caCertificate).toString("base64"),
    }),
  };
}

/** Runs an API server until the test ends. */
export async function startCluster(): Promise<Connection> {
  const server = await startApiServer();
  onTestFinished(() => server.stop());
  const connection = createClient(server.kubeConfig());
  onTestFinished(() => connection.close());
  return connection;
}

/** Waits for a condition, with a timeout for busy machines. */
export function until<T>(look: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(look, { timeout: 60_000, interval: 5 });
}
