import type { Clock } from "@operator-path/client";
import type { MetricsProvider } from "@operator-path/informers";
import type { Client } from "../client/client.ts";
import type { Reader } from "../client/reader.ts";
import type { Logger } from "../log/logger.ts";
import type { Runnable } from "../manager/runnable.ts";
import { type IssueCertificatesOptions, issueCertificates } from "./certificates/issue-certificates.ts";
import type { WebhookServerOptions } from "./server/options.ts";
import { createWebhookServer, type WebhookServer } from "./server/webhook-server.ts";

/** The webhook options that the manager does not set itself. */
export interface ManagerWebhookOptions extends Omit<WebhookServerOptions, "log" | "clock" | "metrics"> {
  /** Issues the server's certificate instead of reading files. */
  issueCertificates?: IssueCertificatesOptions | undefined;
}

export interface ManagerWebhookContext {
  apiReader: Reader;
  client: Client;
  log: Logger;
  clock: Clock;
  metrics: MetricsProvider;
  add(runnable: Runnable): void;
}

/**
 * Returns a function that creates and adds the webhook server at its first call, so that unused managers have
 * none.
 */
export function managerWebhookServer(
  { issueCertificates: issuing, ...options }: ManagerWebhookOptions,
  { apiReader, client, add, log, clock, metrics }: ManagerWebhookContext,
): () => WebhookServer {
  function create(): WebhookServer {
    if (issuing && options.certificates) {
      throw new TypeError("webhookServer has certificates and issueCertificates: give one of them");
    }
    const certificates =
      issuing && issueCertificates(issuing, { reader: apiReader, writer: client, clock, log });
    return createWebhookServer({ ...options, ...(certificates && { certificates }), log, clock, metrics });
  }

  let server: WebhookServer | undefined;
  return () => {
    if (!server) {
      server = create();
      add(server);
    }
    return server;
  };
}
