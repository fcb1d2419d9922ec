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
import { memcacheds as memcachedsV1alpha1 } from "../api/v1alpha1/zz_generated.resources.ts";
import { setupWithManager as setupMemcached } from "../controllers/memcached.controller.ts";
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
  },
});

const kubeConfig = new KubeConfig();
kubeConfig.loadFromDefault();
if (flags.context !== undefined) kubeConfig.setCurrentContext(flags.context);

const manager = createManager(kubeConfig, {
  logger,
  scheme: createScheme(
    memcachedsV1alpha1,
    // +kubebuilder:scaffold:scheme
  ),
  // The field manager of the operator's writes. Strict: the server rejects fields that it does not know.
  client: { fieldOwner: "memcached-operator", fieldValidation: "Strict" },
  // WATCH_NAMESPACE: the namespaces to work in, with commas between. Without: all of them.
  cache: { namespaces: watchNamespaces() },
  leaderElection: flags["leader-elect"] && { id: "memcached-operator.example.com" },
  healthProbeBindAddress: flags["health-probe-bind-address"],
  metricsServer: {
    bindAddress: flags["metrics-bind-address"],
    secure: flags["metrics-secure"],
    certDir: flags["metrics-cert-path"],
  },
  // +kubebuilder:scaffold:manager
  userAgent: "memcached-operator",
});

setupMemcached(manager);
// +kubebuilder:scaffold:builder

manager.addHealthzCheck("healthz", ping);
manager.addReadyzCheck("readyz", ping);

await manager.start(setupSignalHandler());
