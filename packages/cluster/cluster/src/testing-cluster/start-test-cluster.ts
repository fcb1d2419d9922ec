import {
  type Client,
  type Clock,
  type CustomResourceDefinition,
  createClient,
  type KubeConfig,
  namespaces,
  serviceAccounts,
} from "@operator-path/client";
import { UserError } from "../user-error.ts";
import { installCrds, readCrds } from "./manifests.ts";
import { poolOf, startInPool } from "./pool-client.ts";
import type { TestWebhookServer, TestWebhooks, WebhookConfiguration } from "./test-webhooks.ts";

export interface TestClusterOptions {
  /** Initial CustomResourceDefinitions: objects, files, or folders of files. */
  readonly crds?: readonly (CustomResourceDefinition | string)[];
  /**
   * MutatingWebhookConfigurations and ValidatingWebhookConfigurations: objects, files, or folders of files.
   * The cluster calls them, and the conversions of `crds`, at `webhookServer` on this machine, whatever their
   * clientConfig says. Pass an empty list for conversions alone.
   */
  readonly webhooks?: readonly (WebhookConfiguration | string)[];
  /**
   * Whether to run controllers and a node, so that a Deployment gets running Pods. Default: false, an API
   * server that deletes dependents of deleted owners and the contents of namespaces (starting with the first
   * deletion, or after five seconds).
   */
  readonly controllers?: boolean;
  /**
   * "embedded", the default, runs our API server in this process. "envtest" runs a real kube-apiserver and
   * etcd, and takes about 4 s. They must be installed, or Go must be available to build them.
   */
  readonly provider?: "embedded" | "envtest";
  /** The clock of the embedded cluster. */
  readonly clock?: Clock;
  /** Receives one line for each problem in the cluster. Default: lines are dropped. */
  readonly log?: (line: string) => void;
}

/** A test's own cluster. */
export interface TestCluster extends AsyncDisposable {
  /** The administrator's kubeconfig, for a manager or another client. */
  readonly kubeConfig: KubeConfig;
  /** A client with that kubeconfig. `stop` closes it. */
  readonly client: Client;
  /** For the manager's option `webhookServer`: where the cluster calls `webhooks`. Undefined without them. */
  readonly webhookServer: TestWebhookServer | undefined;
  /**
   * Creates a namespace and returns its name: "test-x7k2p". For tests that share a cluster. With
   * `controllers`, resolves when the namespace has its default ServiceAccount, without which the server
   * rejects Pods.
   */
  namespace(prefix?: string): Promise<string>;
  /** Stops everything and frees the port. May be called twice. */
  stop(): Promise<void>;
}

/**
 * Starts a cluster for a test, or for the tests of a file (Go: envtest.Environment). Clusters share nothing.
 * An embedded API server starts within some 20 ms, so tests need not share one. In a test run with
 * `@operator-path/cluster/testing-vitest`, the cluster runs in vitest's own process, and the test file need
 * not load it, unless it has a clock or a log.
 *
 * @throws UserError if the options are inconsistent, or a file of `crds` cannot be read; Error if the API
 * server rejects an object
 */
export async function startTestCluster(options: TestClusterOptions = {}): Promise<TestCluster> {
  const { provider = "embedded", controllers = false, clock, log = () => {} } = options;
  if (provider === "envtest" && clock) {
    throw new UserError(
      "clock: a real kube-apiserver uses the machine's clock: leave the option out, or use the provider embedded",
    );
  }
  const crds = await readCrds(options.crds ?? []);
  await using undo = new AsyncDisposableStack();
  const pool = provider === "embedded" && !clock && !options.log ? poolOf(process.env) : undefined;
  const started = pool
    ? await startInPool(pool, { controllers })
    : await (await import("./start-here.ts")).startHere(provider, controllers, { clock, log });
  undo.defer(() => started.stop());
  const { kubeConfig } = started;
  const client = createClient(kubeConfig, { userAgent: "operator-path-test" });
  undo.defer(() => client.close());
  const hooks = options.webhooks && (await loadWebhooks(options.webhooks, undo));
  await installCrds(client, hooks?.redirected(crds) ?? crds);
  await hooks?.install(client);

  const running = undo.move();
  let stopped: Promise<void> | undefined;
  function stop(): Promise<void> {
    stopped ??= running.disposeAsync();
    return stopped;
  }
  return {
    ...{ kubeConfig, client, stop, webhookServer: hooks?.server },
    async namespace(prefix = "test") {
      const metadata = { generateName: `${prefix}-` };
      const created = await client.resource(namespaces).create({ metadata });
      const name = created.metadata?.name ?? "";
      if (controllers) await defaultServiceAccount(client, name);
      return name;
    },
    [Symbol.asyncDispose]: stop,
  };
}

/** Resolves when the controller has created the default ServiceAccount of a namespace. */
async function defaultServiceAccount(client: Client, namespace: string): Promise<void> {
  const accounts = client.resource(serviceAccounts).namespace(namespace);
  // Without a resourceVersion, a watch begins with the objects that exist.
  for await (const { type } of accounts.watch({ fieldSelector: "metadata.name=default" })) {
    if (type === "ADDED") return;
  }
}

async function loadWebhooks(
  given: readonly (WebhookConfiguration | string)[],
  undo: AsyncDisposableStack,
): Promise<TestWebhooks> {
  const { prepareWebhooks } = await import("./test-webhooks.ts");
  return prepareWebhooks(given, undo);
}
