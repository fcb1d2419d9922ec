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
  /** CustomResourceDefinitions to begin with: objects, files, or folders of files. */
  readonly crds?: readonly (CustomResourceDefinition | string)[];
  /**
   * MutatingWebhookConfigurations and ValidatingWebhookConfigurations: objects, files, or folders of files. They, and the
   * conversions of `crds`, are called at `webhookServer` on this machine, whatever their clientConfig says. An empty list
   * is for conversions alone.
   */
  readonly webhooks?: readonly (WebhookConfiguration | string)[];
  /**
   * Whether there are controllers and a node, so that a Deployment comes to have Pods that run. Default false: there is an
   * API server, and dependents are deleted with their owners and namespaces with what is in them (from the first deletion on,
   * or after five seconds).
   */
  readonly controllers?: boolean;
  /**
   * "embedded", the default: ours, in this process. "envtest": a real kube-apiserver and etcd, about 4 s; they have to be
   * there, or Go to build them.
   */
  readonly provider?: "embedded" | "envtest";
  /** Of the embedded cluster. */
  readonly clock?: Clock;
  /** Told of what goes wrong in the cluster, a line each. Default: nobody. */
  readonly log?: (line: string) => void;
}

/** A cluster of a test's own. */
export interface TestCluster extends AsyncDisposable {
  /** The administrator's, for a manager or a client of one's own. */
  readonly kubeConfig: KubeConfig;
  /** Of that kubeconfig. Closed by `stop`. */
  readonly client: Client;
  /** For the manager's option `webhookServer`: what the cluster calls where there are `webhooks`; undefined without. */
  readonly webhookServer: TestWebhookServer | undefined;
  /**
   * Creates a namespace and returns its name: "test-x7k2p". For tests that share a cluster. With `controllers`, resolves when
   * the namespace has its default ServiceAccount, without which the server rejects Pods.
   */
  namespace(prefix?: string): Promise<string>;
  /** Ends everything and frees the port. Can be called twice. */
  stop(): Promise<void>;
}

/**
 * Starts a cluster for a test, or for the tests of a file (Go: envtest.Environment). Each call starts another one, which
 * shares nothing with the others: an embedded API server is there within some 20 ms, so nobody has to share one. In a test
 * run with `@operator-path/cluster/testing-vitest` it runs in vitest's own process (unless it has a clock or a log), and a
 * test file need not load it.
 *
 * @throws UserError when the options do not fit, or a file of `crds` cannot be read; Error when the API server refuses one
 */
export async function startTestCluster(options: TestClusterOptions = {}): Promise<TestCluster> {
  const { provider = "embedded", controllers = false, clock, log = () => {} } = options;
  if (provider === "envtest" && clock) {
    throw new UserError(
      "clock: a real kube-apiserver has the machine's: leave it out, or use the provider embedded",
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
