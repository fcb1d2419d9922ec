import type { TracerProvider } from "@opentelemetry/api";
import type { Clock, Client as Connection, KubeConfig } from "@operator-path/client";
import type { EventRecorder, EventRecorderOptions } from "@operator-path/informers";
import type { Registry } from "prom-client";
import type { Cache } from "../cache/cache.ts";
import type { Client } from "../client/client.ts";
import type { Reader } from "../client/reader.ts";
import type { Scheme } from "../client/scheme.ts";
import type { Check } from "../healthz/check.ts";
import type { Logger } from "../log/logger.ts";
import type { WebhookServer } from "../webhook/server/webhook-server.ts";
import type { ControllerDefaults } from "./options.ts";
import type { Runnable } from "./runnable.ts";

/**
 * Starts and stops the controllers of one process, and holds what they share. Go: manager.Manager.
 *
 * It promises:
 * - The cache has synced before a reconciler runs.
 * - Reconcilers run only while this process leads.
 * - Everything stops in reverse order, within `gracefulShutdownTimeout`.
 * - The first failure stops everything.
 * - Once leadership is lost or `start` has ended, this manager writes nothing to the cluster, even if code
 *   ignores its signal.
 */
export interface Manager {
  /** Reads from the cache, writes to the server, and reads its own writes. */
  readonly client: Client;
  /** Reads from the server, for objects that are not or must not be cached. */
  readonly apiReader: Reader;
  readonly cache: Cache;
  /**
   * Sends the requests of `client`. Use it for requests without a kind, such as discovery, or for a client
   * with another scheme: `createObjectClient(connection, { scheme, cache: { reader: cache } })`. Like
   * `client`, it writes nothing once leadership is lost. The manager closes it. Go: GetHTTPClient.
   */
  readonly connection: Connection;
  readonly scheme: Scheme;
  readonly log: Logger;
  readonly clock: Clock;
  /** A prom-client registry. Register your own metrics here. */
  readonly metrics: Registry;
  /** Created and added when first read. Go: GetWebhookServer. */
  readonly webhookServer: WebhookServer;
  readonly kubeConfig: KubeConfig;
  readonly controllerDefaults: ControllerDefaults;
  /** undefined: the provider that is registered with the OpenTelemetry API, if any. */
  readonly tracerProvider?: TracerProvider;
  /**
   * Adds a runnable, at any time. After the start, the runnable starts at once, or when its group does.
   *
   * @throws Error when the manager is stopping
   */
  add(runnable: Runnable): void;
  /**
   * Adds a check to /healthz and /healthz/<name>.
   *
   * @throws Error when a check of that name exists
   */
  addHealthzCheck(name: string, check: Check): void;
  /** Adds a check to /readyz and /readyz/<name>. */
  addReadyzCheck(name: string, check: Check): void;
  /** Returns "host:port" of the probe endpoints. undefined before they listen, and when they are disabled. */
  healthProbeAddress(): string | undefined;
  /** Returns "host:port" of the metrics endpoint, likewise. */
  metricsAddress(): string | undefined;
  /**
   * Returns the recorder of a component, the same one each time. Its Events are written before `start` ends.
   */
  eventRecorderFor(component: string, options?: Pick<EventRecorderOptions, "api">): EventRecorder;
  /** Resolves when this process leads. Without leader election, resolves when everything has started. */
  readonly elected: Promise<void>;
  /**
   * Runs until the signal aborts, and resolves when everything has ended in order. Call it once.
   *
   * Rejects with the first failure. When leadership is lost, that is a LeadershipLostError: let the process
   * exit, so that a new one starts with fresh caches.
   */
  start(signal: AbortSignal): Promise<void>;
}
