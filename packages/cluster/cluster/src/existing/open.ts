import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  ApiError,
  type Client,
  CredentialsError,
  createClient,
  isNotFound,
  KubeConfig,
  namespaces,
} from "@operator-path/client";
import type { Cluster } from "../cluster.ts";
import { writePrivateFile } from "../private-file.ts";
import { UserError } from "../user-error.ts";
import { type ExistingContext, privateKubeconfig, readContext } from "./context.ts";
import { imagesOf } from "./images.ts";

export interface ExistingClusterOptions {
  /** Name of the context in the user's kubeconfig. */
  readonly context: string;
  readonly consent: Consent;
  /**
   * Cluster-scoped objects that will be created (`namespaces/shop`, `clusterroles/shop-*`). None of them may
   * exist. Default: none.
   */
  readonly creates?: readonly string[];
  /** Folder for the kubeconfig, created if missing. Default: a temporary one, which stop() removes. */
  readonly directory?: string;
  /** Provides KUBECONFIG, HOME and PATH. Default: process.env. */
  readonly env?: NodeJS.ProcessEnv;
  /** Aborting it while the cluster is opened removes what was created. */
  readonly signal?: AbortSignal;
  /** The end of the namespace's name. Default: six random hexadecimal digits. */
  readonly suffix?: string;
}

/** A user's cluster, with a namespace of our own. */
export interface ExistingCluster extends Cluster {
  readonly provider: "existing";
  readonly namespace: string;
  readonly server: string;
}

/** Marks the namespace, so that one left by a killed process can be found. */
const label = { "app.kubernetes.io/managed-by": "operator-path" };

/**
 * Opens an existing cluster after consent. Creates a namespace `operator-path-…` in it, and a kubeconfig
 * (mode 0600) whose only context, `operator-path`, selects that namespace. The user's kubeconfig is read and
 * never written. stop() deletes the namespace and waits for the deletion. The cluster keeps running.
 *
 * @throws UserError before anything is written: if the context is missing, consent is refused, objects exist
 * already, or the cluster does not answer or denies access
 */
export async function openExistingCluster(options: ExistingClusterOptions): Promise<ExistingCluster> {
  const { env = process.env, signal, suffix = randomBytes(3).toString("hex") } = options;
  const context = await readContext(options.context, env);
  await askConsent(context, options.consent);
  signal?.throwIfAborted();

  await using undo = new AsyncDisposableStack();
  const directory = resolve(options.directory ?? (await mkdtemp(join(tmpdir(), "operator-path-"))));
  const kubeconfigPath = join(directory, "kubeconfig");
  undo.defer(async () => {
    const files = [kubeconfigPath, join(directory, "container-tool")];
    for (const path of options.directory === undefined ? [directory] : files)
      await rm(path, { recursive: true, force: true });
  });
  const namespace = `operator-path-${suffix}`;
  await writePrivateFile(kubeconfigPath, await privateKubeconfig(context, namespace, env));
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromFile(kubeconfigPath);
  const client = clientOf(kubeConfig, context);
  undo.defer(() => client.close());
  await assertAbsent(client, context, options);
  await makeNamespace(client, namespace, signal).catch(async (error: unknown) => {
    // If the response was lost, the namespace may exist.
    if (!(error instanceof ApiError)) await deleteNamespace(client, namespace).catch(() => undefined);
    signal?.throwIfAborted();
    return asUserError(context)(error);
  });
  undo.defer(() => deleteNamespace(client, namespace));
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

async function assertAbsent(
  client: Client,
  context: ExistingContext,
  { creates = [], signal }: ExistingClusterOptions,
): Promise<void> {
  const there = await existingObjects(client, creates, signal).catch(asUserError(context));
  if (there.length === 0) return;
  throw new UserError(
    `the cluster of the context ${context.name} already has objects that would be created: ` +
      `${there.join(", ")}. Nothing was changed. Delete them if they are left over (kubectl --context ${context.name} delete …), or use another cluster`,
  );
}

async function makeNamespace(client: Client, name: string, signal: AbortSignal | undefined): Promise<void> {
  const object = { apiVersion: "v1", kind: "Namespace", metadata: { name, labels: label } } as const;
  await client.resource(namespaces).create(object, { ...(signal && { signal }) });
}

function asUserError({ name, server }: ExistingContext): (error: unknown) => never {
  return (error) => {
    const reason = error instanceof Error ? error.message : String(error);
    if (error instanceof ApiError || error instanceof CredentialsError)
      throw new UserError(`the context ${name} cannot be used: ${reason}`);
    throw new UserError(
      `the cluster of the context ${name} does not answer at ${server}: ${reason}. Is it running, and reachable from here?`,
    );
  };
}

export interface Consent {
  /** Consent to the changes was given before. Default: false. */
  readonly yes?: boolean;
  /** Consent to the context's exec plugin was given before. Default: false. */
  readonly allowExecPlugin?: boolean;
  /** Consent to an unverified server was given before. Default: false. */
  readonly allowInsecureTls?: boolean;
  /** Shows a line to the user. */
  readonly say: (line: string) => void;
  /**
   * Asks the user, and resolves with true for yes. Leave it out if there is no terminal. All consent must
   * then be given before.
   */
  readonly ask?: (question: string) => Promise<boolean>;
}

/**
 * Shows the server of a context, and asks before the first request. An exec plugin and unverified TLS are
 * separate questions, which `yes` does not answer.
 *
 * @throws UserError if the user refuses, or cannot be asked; then it names the flag
 */
async function askConsent(context: ExistingContext, options: Consent): Promise<void> {
  options.say(`context ${context.name}: ${context.server}, as ${context.user || "(no user)"}`);
  if (context.insecure) {
    const what = context.server.startsWith("http://")
      ? "is not encrypted"
      : "does not verify the server (insecure TLS)";
    await agree(
      options,
      options.allowInsecureTls,
      "--allow-insecure-tls",
      `The connection to ${context.server} ${what}.`,
    );
  }
  if (context.execPlugin !== undefined) {
    const what = `The context authenticates by running \`${context.execPlugin}\` on this machine.`;
    await agree(options, options.allowExecPlugin, "--allow-exec-plugin", what);
  }
  const what = "Objects, including namespaces and roles, will be created there and removed afterwards.";
  await agree(options, options.yes, "--yes", what);
}

async function agree(
  options: Consent,
  agreed: boolean | undefined,
  flag: string,
  what: string,
): Promise<void> {
  if (agreed) return;
  if (!options.ask) throw new UserError(`${what} There is no terminal to ask you in: agree with ${flag}`);
  if (!(await options.ask(`${what} Continue?`))) throw new UserError("nothing was done");
}

/** How long the deletion of a namespace may take, in milliseconds. Pods have half a minute to end. */
const patience = 120_000;

/**
 * Deletes a namespace, and waits until it is deleted. After a timeout, throws an Error with the namespace's
 * conditions.
 */
async function deleteNamespace(client: Client, name: string): Promise<void> {
  const resource = client.resource(namespaces);
  const ignoreNotFound = (error: unknown): undefined => {
    if (!isNotFound(error)) throw error;
  };
  // Limits the wait for a server that hangs.
  const signal = AbortSignal.timeout(patience);
  await resource.delete(name, { signal }).catch(ignoreNotFound);
  const deadline = Date.now() + patience;
  for (let wait = 50; ; wait = Math.min(wait * 2, 1000)) {
    const found = await resource.get(name, { signal }).catch(ignoreNotFound);
    if (!found) return;
    if (Date.now() > deadline || signal.aborted) {
      const why = found.status?.conditions?.flatMap(({ status, message }) =>
        status === "True" ? (message ?? []) : [],
      );
      throw new Error(
        `the namespace ${name} still exists after ${patience / 1000} s: ${why?.join("; ") || "no reason is given"}`,
      );
    }
    await sleep(wait);
  }
}

interface ApiResourceList {
  readonly resources?: readonly { name: string; namespaced: boolean }[];
}

interface Page {
  readonly items: readonly { readonly metadata: { readonly name: string } }[];
  readonly metadata: { readonly continue?: string };
}

/**
 * Returns the given cluster-scoped objects that exist.
 *
 * @param objects resource and name, or the start of names: `namespaces/shop`, `clusterroles/shop-*`
 * @throws ApiError if reading one is forbidden
 */
async function existingObjects(
  client: Client,
  objects: readonly string[],
  signal?: AbortSignal,
): Promise<string[]> {
  if (objects.length === 0) return [];
  const get = async <T>(path: string, query: Record<string, string> = {}): Promise<T> => {
    const { body } = await client.request({ method: "GET", path, query, ...(signal && { signal }) });
    return JSON.parse(new TextDecoder().decode(body)) as T;
  };
  const { groups } = await get<{ groups: { preferredVersion: { groupVersion: string } }[] }>("/apis");
  const roots = ["/api/v1", ...groups.map((group) => `/apis/${group.preferredVersion.groupVersion}`)];
  const kinds = await Promise.all(
    roots.map(async (root) => {
      // A group whose server is unavailable has no objects that a page creates.
      const { resources = [] } = await get<ApiResourceList>(root).catch((): ApiResourceList => ({}));
      return resources.filter(({ namespaced }) => !namespaced).map(({ name }) => ({ name, root }));
    }),
  );
  const there = await Promise.all(
    objects.map(async (object) => {
      const [resource = "", name = ""] = object.split("/");
      const answers = kinds.flat().filter((kind) => kind.name === resource);
      const found = await Promise.all(answers.map(({ root }) => existingNames(`${root}/${resource}`, name)));
      return found.flat().map((one) => `${resource}/${one}`);
    }),
  );
  return [...new Set(there.flat())];

  async function existingNames(path: string, name: string): Promise<string[]> {
    if (name.endsWith("*")) {
      const names: string[] = [];
      for (let from: string | undefined = ""; from !== undefined; ) {
        const query: Record<string, string> = { limit: "500", ...(from !== "" && { continue: from }) };
        const { items, metadata }: Page = await get(path, query);
        names.push(...items.map((item) => item.metadata.name));
        from = metadata.continue || undefined;
      }
      return names.filter((one) => one.startsWith(name.slice(0, -1)));
    }
    return get(`${path}/${encodeURIComponent(name)}`).then(
      () => [name],
      (error: unknown) => {
        if (isNotFound(error)) return [];
        throw error;
      },
    );
  }
}
