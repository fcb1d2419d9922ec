import type { TracerProvider } from "@opentelemetry/api";
import type { Clock, Transport } from "@operator-path/client";
import type { Registry } from "prom-client";
import type { CacheOptions } from "../cache/options.ts";
import type { ObjectClientOptions } from "../client/create-client.ts";
import type { Scheme } from "../client/scheme.ts";
import type { ControllerOptions } from "../controller/options.ts";
import type { Logger } from "../log/logger.ts";
import type { MetricsServerOptions } from "../metrics/metrics-options.ts";
import type { ManagerWebhookOptions } from "../webhook/manager-server.ts";

/** One of several replicas works. Go: the LeaderElection… fields of manager.Options. Durations are milliseconds. */
export interface LeaderElectionOptions {
  /** The name of the Lease: the same for all replicas, and no other operator's. */
  id: string;
  /** Of the Lease. Default: that of the Pod. */
  namespace?: string | undefined;
  /** Default 15,000. */
  leaseDuration?: number | undefined;
  /** Default 10,000. */
  renewDeadline?: number | undefined;
  /** Default 2,000. */
  retryPeriod?: number | undefined;
  /** Give the Lease back at shutdown, so that the next leader need not wait. Default true. */
  releaseOnCancel?: boolean | undefined;
  /** Default: host name and a random UUID. */
  identity?: string | undefined;
}

/** What controllers have that do not say otherwise (Go: config.Controller). */
export interface ControllerDefaults extends Omit<ControllerOptions, "rateLimiter"> {
  /** Of a kind: `{ "Deployment.apps": 4, Pod: 2 }` (Go: GroupKindConcurrency). */
  groupKindConcurrency?: Readonly<Record<string, number>>;
}

/** Go: manager.Options. */
export interface ManagerOptions {
  /** The kinds that the client knows. Default: the built-in ones; `createScheme(memcacheds)` adds one's own. */
  scheme?: Scheme | undefined;
  cache?: Omit<CacheOptions, "clock" | "random" | "log" | "stopping"> | undefined;
  client?: Omit<ObjectClientOptions, "scheme" | "cache"> &
    Pick<NonNullable<ObjectClientOptions["cache"]>, "disableFor">;
  /** Default false. */
  leaderElection?: false | LeaderElectionOptions | undefined;
  /** Where /healthz and /readyz are answered: ":8081", "127.0.0.1:8081". "0", the default: nowhere. */
  healthProbeBindAddress?: string | undefined;
  /** Where /metrics is answered, and to whom. Default: nowhere. */
  metricsServer?: MetricsServerOptions | undefined;
  /** Milliseconds that everything has to end in at shutdown. Default 30,000. 0: nobody waits; Infinity: for ever. */
  gracefulShutdownTimeout?: number | undefined;
  controller?: ControllerDefaults | undefined;
  /** Default: `createLogger()`. Any pino logger does. */
  logger?: Logger | undefined;
  /** Default: a registry of its own. */
  metrics?: Registry | undefined;
  /** Of `manager.webhookServer`. */
  webhookServer?: ManagerWebhookOptions | undefined;
  /**
   * Makes a span for each reconcile, with one for each of its requests. Default: the one that is registered with the
   * OpenTelemetry API, also later; without one no span is made.
   */
  tracerProvider?: TracerProvider | undefined;
  /** What the server's audit log calls this program. */
  userAgent?: string | undefined;
  /**
   * Requests per second that the manager sends in the long run, except those of leader election. Default: as many as are
   * made, as in controller-runtime: the API server's priority and fairness shares its capacity among clients.
   */
  qps?: number | undefined;
  /** With `qps`: requests that may be sent at once after a pause. Default 10, as client-go. */
  burst?: number | undefined;
  clock?: Clock | undefined;
  /** In [0, 1). */
  random?: (() => number) | undefined;
  /** Default: one to the kubeconfig's current context. For tests: one that records, or injects faults. */
  transport?: Transport | undefined;
}
