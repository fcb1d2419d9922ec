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

export interface Consent {
  /** What may be done was agreed to before. Default false. */
  readonly yes?: boolean;
  /** That the context's program authenticates was. Default false. */
  readonly allowExecPlugin?: boolean;
  /** That nobody verifies who answers was. Default false. */
  readonly allowInsecureTls?: boolean;
  /** Tells the person a line. */
  readonly say: (line: string) => void;
  /** Asks the person; true is yes. Absent, where nobody is there to be asked: then everything has to be agreed to before. */
  readonly ask?: (question: string) => Promise<boolean>;
}

/**
 * Shows where a context leads, and asks before anything is sent there. An exec plugin and unverified TLS are questions of
 * their own, which `yes` does not answer.
 *
 * @throws UserError when somebody says no, and where nobody can be asked: it names the flag
 */
async function askConsent(context: ExistingContext, o: Consent): Promise<void> {
  o.say(`context ${context.name}: ${context.server}, as ${context.user || "nobody"}`);
  if (context.insecure) {
    const what = context.server.startsWith("http://") ? "is not encrypted" : "is not verified (insecure TLS)";
    await agree(o, o.allowInsecureTls, "--allow-insecure-tls", `Who answers at ${context.server} ${what}.`);
  }
  if (context.execPlugin !== undefined) {
    const what = `The context authenticates by running \`${context.execPlugin}\` on this machine.`;
    await agree(o, o.allowExecPlugin, "--allow-exec-plugin", what);
  }
  const what = "Objects will be created there, namespaces and roles among them, and removed afterwards.";
  await agree(o, o.yes, "--yes", what);
}

async function agree(o: Consent, agreed: boolean | undefined, flag: string, what: string): Promise<void> {
  if (agreed) return;
  if (!o.ask) throw new UserError(`${what} Nobody is here to be asked: agree to it with ${flag}`);
  if (!(await o.ask(`${what} Go on?`))) throw new UserError("nothing was done");
}

/** How long a namespace may take to go, in milliseconds: Pods have half a minute to end. */
const patience = 120_000;

/** Deletes a namespace, and waits until it is gone. Throws an Error that says what it waits for, when it stays. */
async function namespaceGone(client: Client, name: string): Promise<void> {
  const resource = client.resource(namespaces);
  const ignoreGone = (error: unknown): undefined => {
    if (!isNotFound(error)) throw error;
  };
  // A server that hangs does not keep us for longer.
  const signal = AbortSignal.timeout(patience);
  await resource.delete(name, { signal }).catch(ignoreGone);
  const deadline = Date.now() + patience;
  for (let wait = 50; ; wait = Math.min(wait * 2, 1000)) {
    const found = await resource.get(name, { signal }).catch(ignoreGone);
    if (!found) return;
    if (Date.now() > deadline || signal.aborted) {
      const why = found.status?.conditions?.flatMap(({ status, message }) =>
        status === "True" ? (message ?? []) : [],
      );
      throw new Error(
        `the namespace ${name} is not gone after ${patience / 1000} s: ${why?.join("; ") || "no reason is given"}`,
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
 * Which of these objects outside of any namespace the cluster has.
 *
 * @param objects resource and name, or how names begin: `namespaces/shop`, `clusterroles/shop-*`
 * @throws ApiError when one may not be read
 */
async function objectsThere(
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
      // A group whose server is away has none of what a page makes.
      const { resources = [] } = await get<ApiResourceList>(root).catch((): ApiResourceList => ({}));
      return resources.filter(({ namespaced }) => !namespaced).map(({ name }) => ({ name, root }));
    }),
  );
  const there = await Promise.all(
    objects.map(async (object) => {
      const [resource = "", name = ""] = object.split("/");
      const answers = kinds.flat().filter((kind) => kind.name === resource);
      const found = await Promise.all(answers.map(({ root }) => namesThere(`${root}/${resource}`, name)));
      return found.flat().map((one) => `${resource}/${one}`);
    }),
  );
  return [...new Set(there.flat())];

  async function namesThere(path: string, name: string): Promise<string[]> {
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
