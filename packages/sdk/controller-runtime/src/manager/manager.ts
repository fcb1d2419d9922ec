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
 * What the controllers of one process share, and who starts and stops them (Go: manager.Manager).
 *
 * Promises: the cache has synced before a reconciler runs; reconcilers run only while this process leads; everything is
 * stopped in the opposite order, and is given `gracefulShutdownTimeout` for it; the first failure stops everything; once
 * leadership is lost, or `start` has ended, nothing of this manager writes to the cluster, whether it heeds its signal or
 * not.
 */
export interface Manager {
  /** Reads from the cache, writes to the server, and reads what it has written. */
  readonly client: Client;
  /** Reads from the server: for what is not cached, or must not be. */
  readonly apiReader: Reader;
  readonly cache: Cache;
  /**
   * What `client` sends its requests with, for requests that name no kind of object: discovery, or a client with another
   * scheme, `createObjectClient(connection, { scheme, cache: { reader: cache } })` (Go: GetHTTPClient). It writes nothing
   * once leadership is lost, as `client`. Closed by the manager.
   */
  readonly connection: Connection;
  readonly scheme: Scheme;
  readonly log: Logger;
  readonly clock: Clock;
  /** Of prom-client: register your own metrics here. */
  readonly metrics: Registry;
  /** Made and added when it is first looked at (Go: GetWebhookServer). */
  readonly webhookServer: WebhookServer;
  readonly kubeConfig: KubeConfig;
  readonly controllerDefaults: ControllerDefaults;
  /** Undefined: that of the OpenTelemetry API, if there is one. */
  readonly tracerProvider?: TracerProvider;
  /** At any time; after the start it begins at once, or when its turn comes. @throws Error when the manager stops */
  add(runnable: Runnable): void;
  /** Asked at /healthz/<name>, and with all others at /healthz. @throws Error when there is one of that name */
  addHealthzCheck(name: string, check: Check): void;
  /** The same at /readyz. */
  addReadyzCheck(name: string, check: Check): void;
  /** "host:port" that probes are answered at; undefined before, and when there is none. */
  healthProbeAddress(): string | undefined;
  /** The same of the metrics. */
  metricsAddress(): string | undefined;
  /** Events of this component; written before `start` ends. One recorder a component. */
  eventRecorderFor(component: string, options?: Pick<EventRecorderOptions, "api">): EventRecorder;
  /** Resolves when this process leads; without leader election, when everything is started. */
  readonly elected: Promise<void>;
  /**
   * Runs until the signal aborts, and resolves when everything has ended in order. Once.
   *
   * Rejects with the first failure; with LeadershipLostError, when leadership was lost: let the process end then, a new
   * one begins with fresh caches.
   */
  start(signal: AbortSignal): Promise<void>;
}
