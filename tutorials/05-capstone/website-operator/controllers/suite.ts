import type { CustomResourceDefinition } from "@operator-path/client";
import { kustomize, startTestCluster } from "@operator-path/cluster/testing";
import { createLogger, createManager, createScheme, type Manager } from "@operator-path/controller-runtime";
import { websites as websitesV1 } from "../api/v1/zz_generated.resources.ts";
// +kubebuilder:scaffold:imports

export interface SuiteOptions {
  /** Where the webhooks are configured; `[]` is for conversions alone. Default: none, and nothing converts. */
  webhooks?: string[];
  /** With controllers and a node, so that a Deployment comes to have Pods that run. Default false. */
  controllers?: boolean;
}

/**
 * A cluster of the test's own, with the kinds of config/crd/bases, and a manager that runs on it until the end of the
 * test: `await using suite = await startSuite(setup)`. TEST_CLUSTER=envtest makes it a real kube-apiserver with etcd.
 */
export async function startSuite(
  setup: (manager: Manager) => void,
  { webhooks, controllers = false }: SuiteOptions = {},
) {
  const crds: string[] = [
    "config/crd/bases",
    // +kubebuilder:scaffold:crds
  ];
  const cluster = await startTestCluster({
    crds: webhooks ? await converted(crds) : crds,
    controllers,
    provider: process.env.TEST_CLUSTER === "envtest" ? "envtest" : "embedded",
    ...(webhooks && { webhooks }),
  });
  const manager = createManager(cluster.kubeConfig, {
    scheme: createScheme(
      websitesV1,
      // +kubebuilder:scaffold:scheme
    ),
    // As in src/main.ts.
    client: { fieldOwner: "website-operator", fieldValidation: "Strict" },
    logger: createLogger({ level: "error" }),
    ...(cluster.webhookServer && { webhookServer: cluster.webhookServer }),
  });
  setup(manager);
  const stop = new AbortController();
  const running = manager.start(stop.signal);
  return {
    cluster,
    manager,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
      await cluster.stop();
    },
  };
}

/** Takes the project's own CRDs from config/crd, with their conversions: those in config/crd/bases have none. */
async function converted(crds: string[]) {
  const own = (await kustomize("config/crd")) as CustomResourceDefinition[];
  return [...own, ...crds.filter((folder) => folder !== "config/crd/bases")];
}
