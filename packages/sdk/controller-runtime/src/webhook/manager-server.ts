import type { Clock } from "@operator-path/client";
import type { MetricsProvider } from "@operator-path/informers";
import type { Client } from "../client/client.ts";
import type { Reader } from "../client/reader.ts";
import type { Logger } from "../log/logger.ts";
import type { Runnable } from "../manager/runnable.ts";
import { type IssueCertificatesOptions, issueCertificates } from "./certificates/issue-certificates.ts";
import type { WebhookServerOptions } from "./server/options.ts";
import { createWebhookServer, type WebhookServer } from "./server/webhook-server.ts";

/** What a manager does not know better. */
export interface ManagerWebhookOptions extends Omit<WebhookServerOptions, "log" | "clock" | "metrics"> {
  /** Issue the server's certificate here, instead of waiting for files. */
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

/** A manager's webhook server, made and added when it is first asked for: a manager without webhooks has none. */
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
