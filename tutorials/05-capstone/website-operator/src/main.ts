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
import { websites as websitesV1 } from "../api/v1/zz_generated.resources.ts";
import { setupWithManager as setupWebsite } from "../controllers/website.controller.ts";
// +kubebuilder:scaffold:imports

const logger = createLogger();
// What nobody has caught is one record like all others, and the end: a port that is taken, a kubeconfig that is not there.
process.on("uncaughtException", (error) => {
  logger.error(error, "The operator cannot go on");
  process.exit(1);
});

const { values: flags } = parseArgs({
  allowNegative: true,
  options: {
    // Of the kubeconfig. Without: the current one, or in a Pod its ServiceAccount.
    context: { type: "string" },
    // Where /metrics is answered: ":8443" over HTTPS, to whom RBAC allows it. "0": nowhere.
    "metrics-bind-address": { type: "string", default: "0" },
    // --no-metrics-secure: HTTP, for everybody who reaches the port.
    "metrics-secure": { type: "boolean", default: true },
    // A folder with tls.crt and tls.key for /metrics. Without: a certificate that nobody vouches for.
    "metrics-cert-path": { type: "string" },
    // Where /healthz and /readyz are answered. "0": nowhere, since nobody probes an operator on your machine.
    "health-probe-bind-address": { type: "string", default: "0" },
    // Of several replicas one works, and the others wait for their turn.
    "leader-elect": { type: "boolean", default: false },
  },
});

const kubeConfig = new KubeConfig();
kubeConfig.loadFromDefault();
if (flags.context !== undefined) kubeConfig.setCurrentContext(flags.context);

const manager = createManager(kubeConfig, {
  logger,
  scheme: createScheme(
    websitesV1,
    // +kubebuilder:scaffold:scheme
  ),
  // The field manager of the operator's writes. Strict: the server rejects fields that it does not know.
  client: { fieldOwner: "website-operator", fieldValidation: "Strict" },
  // WATCH_NAMESPACE: the namespaces to work in, with commas between. Without: all of them.
  cache: { namespaces: watchNamespaces() },
  leaderElection: flags["leader-elect"] && { id: "website-operator.example.com" },
  healthProbeBindAddress: flags["health-probe-bind-address"],
  metricsServer: {
    bindAddress: flags["metrics-bind-address"],
    secure: flags["metrics-secure"],
    certDir: flags["metrics-cert-path"],
  },
  // +kubebuilder:scaffold:manager
  userAgent: "website-operator",
});

setupWebsite(manager);
// +kubebuilder:scaffold:builder

manager.addHealthzCheck("healthz", ping);
manager.addReadyzCheck("readyz", ping);

await manager.start(setupSignalHandler());
