import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import {
  ApiError,
  type Client,
  CredentialsError,
  createClient,
  KubeConfig,
  namespaces,
} from "@operator-path/client";
import type { Cluster } from "../cluster.ts";
import { writePrivateFile } from "../private-file.ts";
import { UserError } from "../user-error.ts";
import { askConsent, type Consent } from "./consent.ts";
import { type ExistingContext, readContext } from "./context.ts";
import { imagesOf } from "./images.ts";
import { namespaceGone } from "./namespace-gone.ts";
import { objectsThere } from "./objects-there.ts";
import { privateKubeconfig } from "./private-kubeconfig.ts";

export interface ExistingClusterOptions {
  /** Name of the context in the person's kubeconfig. */
  readonly context: string;
  readonly consent: Consent;
  /**
   * What will be created outside of any namespace (`namespaces/shop`, `clusterroles/shop-*`): none of it may be
   * there. Default: nothing.
   */
  readonly creates?: readonly string[];
  /** Folder for the kubeconfig, made if missing. Default: a temporary one, which stop() removes. */
  readonly directory?: string;
  /** Whose KUBECONFIG, HOME and PATH count. Default: the process's. */
  readonly env?: NodeJS.ProcessEnv;
  /** Aborted while it is opened: what was made is removed. */
  readonly signal?: AbortSignal;
  /** What the namespace's name ends with. Default: six random digits. */
  readonly suffix?: string;
}

/** Somebody's cluster, in a namespace of our own. */
export interface ExistingCluster extends Cluster {
  readonly provider: "existing";
  readonly namespace: string;
  readonly server: string;
}

/** Marks the namespace, for whoever finds one that a killed process has left. */
const label = { "app.kubernetes.io/managed-by": "operator-path" };

/**
 * Takes a cluster that is there, after consent: makes a namespace `operator-path-…` in it, and a kubeconfig (mode 0600) whose
 * only context, `operator-path`, leads there. The person's own kubeconfig is read, and never written. stop() deletes the namespace and waits
 * until it is gone; the cluster goes on.
 *
 * @throws UserError before anything is written: a context that is not there, no consent, objects that are there already, a
 * cluster that does not answer or does not allow it
 */
export async function openExistingCluster(o: ExistingClusterOptions): Promise<ExistingCluster> {
  const { env = process.env, signal, suffix = randomBytes(3).toString("hex") } = o;
  const context = await readContext(o.context, env);
  await askConsent(context, o.consent);
  signal?.throwIfAborted();

  await using undo = new AsyncDisposableStack();
  const directory = resolve(o.directory ?? (await mkdtemp(join(tmpdir(), "operator-path-"))));
  const kubeconfigPath = join(directory, "kubeconfig");
  undo.defer(async () => {
    const files = [kubeconfigPath, join(directory, "container-tool")];
    for (const path of o.directory === undefined ? [directory] : files)
      await rm(path, { recursive: true, force: true });
  });
  const namespace = `operator-path-${suffix}`;
  await writePrivateFile(kubeconfigPath, await privateKubeconfig(context, namespace, env));
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromFile(kubeconfigPath);
  const client = clientOf(kubeConfig, context);
  undo.defer(() => client.close());
  await mustBeAbsent(client, context, o);
  await makeNamespace(client, namespace, signal).catch(async (error: unknown) => {
    // Of a request whose answer is lost nobody knows what it has done.
    if (!(error instanceof ApiError)) await namespaceGone(client, namespace).catch(() => undefined);
    signal?.throwIfAborted();
    return notUsable(context)(error);
  });
  undo.defer(() => namespaceGone(client, namespace));
  const images = await imagesOf(context, directory, env);

  const running = undo.move();
  let stopped: Promise<void> | undefined;
  return {
    provider: "existing",
    name: context.name,
    server: context.server,
    namespace,
    kubeconfigPath,
    kubeConfig,
    ...(images && { images }),
    stop() {
      stopped ??= running.disposeAsync();
      return stopped;
    },
  };
}

function clientOf(kubeConfig: KubeConfig, { name }: ExistingContext): Client {
  try {
    return createClient(kubeConfig);
  } catch (error) {
    throw new UserError(`the context ${name} cannot be used: ${(error as Error).message}`);
  }
}

async function mustBeAbsent(
  client: Client,
  context: ExistingContext,
  { creates = [], signal }: ExistingClusterOptions,
): Promise<void> {
  const there = await objectsThere(client, creates, signal).catch(notUsable(context));
  if (there.length === 0) return;
  throw new UserError(
    `the cluster of the context ${context.name} has already what would be created, and nothing of yours is touched: ` +
      `${there.join(", ")}. Delete it if it is left over (kubectl --context ${context.name} delete …), or use another cluster`,
  );
}

async function makeNamespace(client: Client, name: string, signal: AbortSignal | undefined): Promise<void> {
  const object = { apiVersion: "v1", kind: "Namespace", metadata: { name, labels: label } } as const;
  await client.resource(namespaces).create(object, { ...(signal && { signal }) });
}

function notUsable({ name, server }: ExistingContext): (error: unknown) => never {
  return (error) => {
    const reason = error instanceof Error ? error.message : String(error);
    if (error instanceof ApiError || error instanceof CredentialsError)
      throw new UserError(`the context ${name} cannot be used: ${reason}`);
    throw new UserError(
      `the cluster of the context ${name} does not answer at ${server}: ${reason}. Is it running, and reachable from here?`,
    );
  };
}
