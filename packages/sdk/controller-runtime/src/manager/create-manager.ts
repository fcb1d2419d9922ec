import {
  createClientOn,
  createRetryingTransport,
  createThrottledTransport,
  createTransport,
  type KubeConfig,
  systemClock,
  warnOnce,
} from "@operator-path/client";
import { createEventRecorder, type EventRecorder } from "@operator-path/informers";
import { Registry } from "prom-client";
import { createCache } from "../cache/create-cache.ts";
import { createObjectClient } from "../client/create-client.ts";
import { createScheme } from "../client/scheme.ts";
import { cacheCheck } from "../healthz/cache-check.ts";
import type { Check } from "../healthz/check.ts";
import { createHealthServer } from "../healthz/health-server.ts";
import { createLogger } from "../log/create-logger.ts";
import { createMetricsServer } from "../metrics/metrics-server.ts";
import { createPrometheusMetrics } from "../metrics/prometheus-metrics.ts";
import { currentReconcile } from "../reconcile/current-reconcile.ts";
import { createTracedTransport } from "../tracing/traced-transport.ts";
import { managerWebhookServer } from "../webhook/manager-server.ts";
import { createFencedTransport } from "./fenced-transport.ts";
import { createLifecycle } from "./lifecycle.ts";
import type { Manager } from "./manager.ts";
import { createMeasuredTransport } from "./measured-transport.ts";
import type { ManagerOptions } from "./options.ts";

/**
 * Creates a manager for the cluster of a kubeconfig. It sends no request before it starts. Go: manager.New,
 * ctrl.NewManager.
 *
 * @throws Error naming an invalid option, or what is missing in the kubeconfig
 */
export function createManager(kubeConfig: KubeConfig, options: ManagerOptions = {}): Manager {
  const { clock = systemClock, random = Math.random, scheme = createScheme() } = options;
  const { logger: log = createLogger({ clock }), metrics: registry = new Registry() } = options;
  const { userAgent, client: clientOptions = {}, gracefulShutdownTimeout = 30_000 } = options;
  if (!(gracefulShutdownTimeout >= 0)) {
    throw new RangeError(
      `gracefulShutdownTimeout is ${gracefulShutdownTimeout}: set milliseconds of at least 0, or Infinity`,
    );
  }
  const metrics = createPrometheusMetrics(registry);
  const { server: address } = kubeConfig.getCurrentCluster() ?? {};
  const server = address ? new URL(address) : undefined;
  const { tracerProvider } = options;
  const onWarning = warnOnce((text, { method, path }) =>
    (currentReconcile()?.log ?? log).warn({ method, path }, text),
  );
  const transport = createTracedTransport(
    createMeasuredTransport(
      options.transport ??
        createTransport(kubeConfig, { clock, onWarning, ...(userAgent ? { userAgent } : {}) }),
      metrics,
      server?.host ?? "",
    ),
    server,
    tracerProvider,
  );
  const { qps, burst = 10 } = options;
  const throttled =
    qps === undefined ? transport : createThrottledTransport(transport, { qps, burst, clock });
  /**
   * For the Lease and its Events. Everything else is fenced and throttled, so that it cannot delay a renewal.
   */
  const unfenced = createClientOn(transport);
  const fenced = createFencedTransport(throttled, () => lifecycle.lost());
  const connection = createClientOn(fenced);
  const stopping = new AbortController();
  /** For reconcilers. Watches and Events have their own retries. */
  const patient = createClientOn(createRetryingTransport(fenced, { clock, signal: stopping.signal }));
  const say = (name: string) => {
    const own = log.child({ logger: name });
    return (line: string) => own.warn(line);
  };

  const cache = createCache(connection, {
    ...{ ...options.cache, clock, random, log: say("cache") },
    stopping: stopping.signal,
  });
  const { disableFor = [], ...writeDefaults } = clientOptions;
  const client = createObjectClient(patient, {
    ...{ scheme, ...writeDefaults },
    cache: { reader: cache, disableFor },
  });
  const apiReader = createObjectClient(patient, { scheme });

  const recorders = new Map<string, EventRecorder>();
  function recorderOn(
    on: typeof connection,
    component: string,
    api: "v1" | "events.k8s.io/v1",
  ): EventRecorder {
    const key = `${component} ${api} ${on === connection}`;
    const recorder =
      recorders.get(key) ??
      createEventRecorder(on, { ...{ component, api, clock, random }, log: say("events") });
    recorders.set(key, recorder);
    return recorder;
  }

  const checks = { healthz: new Map<string, Check>(), readyz: new Map<string, Check>() };
  checks.readyz.set("cache", cacheCheck(cache));
  function addCheck(endpoint: keyof typeof checks, name: string, check: Check): void {
    if (checks[endpoint].has(name)) throw new Error(`a ${endpoint} check named ${name} already exists`);
    checks[endpoint].set(name, check);
  }

  const { leaderElection, healthProbeBindAddress = "0" } = options;
  const lifecycle = createLifecycle({
    ...{ log, clock, gracefulShutdownTimeout, stopping },
    ...(leaderElection && {
      election: {
        ...{ connection: unfenced, options: leaderElection, log: log.child({ logger: "leaderelection" }) },
        ...{ metrics, clock, random },
        recorder: recorderOn(unfenced, leaderElection.id, "v1"),
      },
    }),
    flush: async (signal) => {
      await Promise.all([...recorders.values()].map((recorder) => recorder.flush(signal)));
    },
    close: () => throttled.close(),
  });
  if (lifecycle.checkLeadership) checks.healthz.set("leaderElection", lifecycle.checkLeadership);
  lifecycle.add({
    ...{ name: "cache", group: "caches", start: cache.start, ready: cache.waitForSync },
  });
  const health =
    healthProbeBindAddress === "0" || healthProbeBindAddress === ""
      ? undefined
      : createHealthServer(healthProbeBindAddress, checks, log.child({ logger: "healthz" }), clock);
  if (health) lifecycle.add(health);
  const { metricsServer } = options;
  const scraped =
    metricsServer && metricsServer.bindAddress !== "0" && metricsServer.bindAddress !== ""
      ? createMetricsServer(metricsServer, {
          ...{ registry, transport: unfenced, log: log.child({ logger: "metrics" }), clock, random },
        })
      : undefined;
  if (scraped) lifecycle.add(scraped);

  const webhookServer = managerWebhookServer(options.webhookServer ?? {}, {
    ...{ apiReader, client, log, clock, metrics, add: lifecycle.add },
  });

  return {
    ...{ client, apiReader, cache, connection: patient, scheme, log, clock, metrics: registry, kubeConfig },
    get webhookServer() {
      return webhookServer();
    },
    controllerDefaults: options.controller ?? {},
    ...(tracerProvider ? { tracerProvider } : {}),
    add: lifecycle.add,
    addHealthzCheck: (name, check) => addCheck("healthz", name, check),
    addReadyzCheck: (name, check) => addCheck("readyz", name, check),
    healthProbeAddress: () => health?.address(),
    metricsAddress: () => scraped?.address(),
    eventRecorderFor: (component, { api = "v1" } = {}) => recorderOn(connection, component, api),
    elected: lifecycle.elected,
    start: lifecycle.start,
  };
}
