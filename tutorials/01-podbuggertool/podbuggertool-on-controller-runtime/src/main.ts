import { parseArgs } from "node:util";
import { KubeConfig } from "@operator-path/client";
import { createManager, createScheme, setupSignalHandler } from "@operator-path/controller-runtime";
import { addController } from "./controller.ts";
import { podbuggertools } from "./types.ts";

// The flags that operators in Go have. Without them the operator is one process without a server, as on a laptop.
const { values: flags } = parseArgs({
  options: {
    "leader-elect": { type: "boolean", default: false },
    "health-probe-bind-address": { type: "string", default: "0" },
    "metrics-bind-address": { type: "string", default: "0" },
  },
});

const kubeConfig = new KubeConfig();
kubeConfig.loadFromDefault();
const manager = createManager(kubeConfig, {
  scheme: createScheme(podbuggertools),
  leaderElection: flags["leader-elect"] && { id: "podbuggertool.ualter.com" },
  healthProbeBindAddress: flags["health-probe-bind-address"],
  metricsServer: { bindAddress: flags["metrics-bind-address"] },
  userAgent: "podbuggertool",
});
addController(manager);

await manager.start(setupSignalHandler());
