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

/**
 * Lets one of several replicas lead. Durations are milliseconds. Go: the LeaderElection… fields of
 * manager.Options.
 */
export interface LeaderElectionOptions {
  /** The name of the Lease: shared by all replicas, and used by no other operator. */
  id: string;
  /** The namespace of the Lease. Default: the namespace of the Pod. */
  namespace?: string | undefined;
  /** Time after the last renewal when another replica may take the Lease. Default 15,000. */
  leaseDuration?: number | undefined;
  /** Time without a successful renewal after which the leader gives up. Default 10,000. */
  renewDeadline?: number | undefined;
  /** Time between two attempts to get or renew the Lease. Default 2,000. */
  retryPeriod?: number | undefined;
  /** Releases the Lease at shutdown, so that the next leader need not wait. Default true. */
  releaseOnCancel?: boolean | undefined;
  /** The name of this replica in the Lease. Default: host name and a random UUID. */
  identity?: string | undefined;
}

/** Defaults for all controllers. Go: config.Controller. */
export interface ControllerDefaults extends Omit<ControllerOptions, "rateLimiter"> {
  /** maxConcurrentReconciles by kind: `{ "Deployment.apps": 4, Pod: 2 }`. Go: GroupKindConcurrency. */
  groupKindConcurrency?: Readonly<Record<string, number>>;
}

/** Configures a manager. Go: manager.Options. */
export interface ManagerOptions {
  /** The kinds that the client knows. Default: the built-in ones. `createScheme(memcacheds)` adds yours. */
  scheme?: Scheme | undefined;
  cache?: Omit<CacheOptions, "clock" | "random" | "log" | "stopping"> | undefined;
  client?: Omit<ObjectClientOptions, "scheme" | "cache"> &
    Pick<NonNullable<ObjectClientOptions["cache"]>, "disableFor">;
  /** Default false. */
  leaderElection?: false | LeaderElectionOptions | undefined;
  /** The address of /healthz and /readyz: ":8081", "127.0.0.1:8081". Default "0": disabled. */
  healthProbeBindAddress?: string | undefined;
  /** The address and access rules of /metrics. Default: disabled. */
  metricsServer?: MetricsServerOptions | undefined;
  /**
   * Milliseconds that everything has to end at shutdown. Default 30,000. 0: do not wait. Infinity: wait
   * forever.
   */
  gracefulShutdownTimeout?: number | undefined;
  controller?: ControllerDefaults | undefined;
  /** Default: `createLogger()`. Any pino logger works. */
  logger?: Logger | undefined;
  /** Default: a new registry. */
  metrics?: Registry | undefined;
  /** The options of `manager.webhookServer`. */
  webhookServer?: ManagerWebhookOptions | undefined;
  /**
   * Creates a span for each reconcile, with a child for each of its requests. Default: the provider that is
   * registered with the OpenTelemetry API, now or later. Without a provider there are no spans.
   */
  tracerProvider?: TracerProvider | undefined;
  /** The name of this program in the server's audit log. */
  userAgent?: string | undefined;
  /**
   * The average rate limit of the manager's requests per second, excluding those of leader election. Default:
   * no limit, as in controller-runtime, because the API server's priority and fairness shares its capacity
   * among clients.
   */
  qps?: number | undefined;
  /** With `qps`: how many requests may be sent at once after a pause. Default 10, as in client-go. */
  burst?: number | undefined;
  clock?: Clock | undefined;
  /** Returns a number in [0, 1). */
  random?: (() => number) | undefined;
  /**
   * Default: a transport to the current context of the kubeconfig. Tests can pass one that records or fails
   * requests.
   */
  transport?: Transport | undefined;
}
