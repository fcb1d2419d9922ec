import { parseArgs } from "node:util";
import { KubeConfig } from "@operator-path/client";
import {
  createLogger,
  createManager,
  createScheme,
  ping,
  setupSignalHandler,
  watchNamespaces,
} from "@operator-path/controller-runtime";
import { addWatches, createHelm, helmAnnotations, loadWatches } from "@operator-path/helm-operator";
import { memcachedReleases } from "../controllers/memcached.releases.ts";
import { memcachedBackups as memcachedBackupsV1 } from "../api/v1/zz_generated.resources.ts";
import { setupWithManager as setupMemcachedBackup } from "../controllers/memcachedbackup.controller.ts";
// +kubebuilder:scaffold:imports

const logger = createLogger();
// An error that no code has caught, such as a port in use or a missing kubeconfig, is logged and ends the operator.
process.on("uncaughtException", (error) => {
  logger.error(error, "The operator cannot go on");
  process.exit(1);
});

const { values: flags } = parseArgs({
  allowNegative: true,
  options: {
    // A context of the kubeconfig. Default: the current one, or in a Pod its ServiceAccount.
    context: { type: "string" },
    // The address of /metrics. ":8443" serves HTTPS to accounts that RBAC allows. "0" turns it off.
    "metrics-bind-address": { type: "string", default: "0" },
    // --no-metrics-secure: HTTP, for every client that reaches the port.
    "metrics-secure": { type: "boolean", default: true },
    // A folder with tls.crt and tls.key for /metrics. Default: a self-signed certificate.
    "metrics-cert-path": { type: "string" },
    // The address of /healthz and /readyz. "0" turns them off: no kubelet probes an operator on your machine.
    "health-probe-bind-address": { type: "string", default: "0" },
    // With several replicas, one works and the others wait for their turn.
    "leader-elect": { type: "boolean", default: false },
    // Which kinds are releases of which charts.
    "watches-file": { type: "string", default: "watches.yaml" },
  },
});

const kubeConfig = new KubeConfig();
kubeConfig.loadFromDefault();
if (flags.context !== undefined) kubeConfig.setCurrentContext(flags.context);

const manager = createManager(kubeConfig, {
  logger,
  scheme: createScheme(
    memcachedBackupsV1,
    // +kubebuilder:scaffold:scheme
  ),
  // The field manager of the operator's writes. Strict: the server rejects fields that it does not know.
  client: { fieldOwner: "memcached-operator", fieldValidation: "Strict" },
  // WATCH_NAMESPACE: the namespaces to work in, with commas between. Without: all of them.
  cache: { namespaces: watchNamespaces() },
  leaderElection: flags["leader-elect"] && { id: "memcached-operator.my.domain" },
  healthProbeBindAddress: flags["health-probe-bind-address"],
  metricsServer: {
    bindAddress: flags["metrics-bind-address"],
    secure: flags["metrics-secure"],
    certDir: flags["metrics-cert-path"],
  },
  // +kubebuilder:scaffold:manager
  userAgent: "memcached-operator",
});

setupMemcachedBackup(manager);
// +kubebuilder:scaffold:builder

manager.addHealthzCheck("healthz", ping);
manager.addReadyzCheck("readyz", ping);

// However this ends, helm's processes end with it, and the files that they were given go.
await using cleanup = new AsyncDisposableStack();
const isInPod = kubeConfig.getCurrentContext() === "in-cluster";
const helm = cleanup.adopt(
  createHelm({
    // `make run` says where yours is; the image has its own.
    path: process.env.HELM || "/usr/local/bin/helm",
    // In a Pod helm finds its ServiceAccount by itself. On your machine, plugins of a kubeconfig need your environment.
    ...(isInPod ? {} : { kubeconfig: kubeConfig, environment: process.env }),
    // At a time. Each takes some of the memory that config/manager allows.
    maxProcesses: 4,
  }),
  (helm) => helm.dispose(),
);
logger.info({ helm: await helm.version() }, "Using helm");

// Each entry of watches.yaml is a kind whose objects are releases of a chart. Options that need code are set here:
// valueTranslator, valueMapper, preHooks, postHooks, isPaused, eventRecorder, log, …
for (const watch of await loadWatches(flags["watches-file"])) {
  await addWatches(manager, [watch], {
    helm,
    // Each release is looked at once a minute, even if nothing has changed.
    reconcilePeriod: 60_000,
    // At a time: helm may wait for minutes, for a hook of one release, and others need not.
    maxConcurrentReconciles: 4,
    // Of an object: helm.sdk.operatorframework.io/upgrade-force, install-disable-hooks, …
    annotations: helmAnnotations,
    ...(watch.kind === "Memcached" ? memcachedReleases(manager) : {}),
  });
  const { group, version, kind, chart } = watch;
  logger.info({ group, version, kind, chart }, "Configured watch");
}

await manager.start(setupSignalHandler());
