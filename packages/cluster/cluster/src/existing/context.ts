import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import { KubeConfig } from "@operator-path/client";
import { executablesOnPath } from "@operator-path/tools";
import { parse, stringify } from "yaml";
import { z } from "zod";
import { UserError } from "../user-error.ts";

const fields = z.record(z.string(), z.unknown());
const named = <Part extends string>(part: Part) =>
  z
    .array(z.looseObject({ name: z.string(), [part]: fields.nullish() }))
    .nullish()
    .transform((list) => list ?? []);
const schema = z.looseObject({
  contexts: named("context"),
  clusters: named("cluster"),
  users: named("user"),
});

/** A context of a user's kubeconfig, with absolute paths. */
export interface ExistingContext {
  readonly name: string;
  readonly server: string;
  /** The user's name in the kubeconfig. */
  readonly user: string;
  /** The raw entries. They may contain secrets. */
  readonly cluster: Readonly<Record<string, unknown>>;
  readonly credentials: Readonly<Record<string, unknown>>;
  /** The exec plugin of the user, if any. It runs on this machine. */
  readonly execPlugin?: string;
  /** The server is not verified: `insecure-skip-tls-verify`, or no TLS at all. */
  readonly insecure: boolean;
}

/**
 * Reads a context as kubectl does. Of the files in KUBECONFIG, else of ~/.kube/config, the first one with the
 * context wins. Contacts no cluster and runs no plugin.
 *
 * @throws UserError with the existing contexts; if a file cannot be read; for features that kubectl has
 * removed
 */
export async function readContext(
  name: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<ExistingContext> {
  const given = (env.KUBECONFIG ?? "").split(delimiter).filter(Boolean);
  const paths = given.length > 0 ? given : [join(env.HOME ?? homedir(), ".kube", "config")];
  const files = (await Promise.all(paths.map(readKubeconfig))).filter((file) => file !== undefined);
  if (files.length === 0)
    throw new UserError(`there is no kubeconfig at ${paths.join(", ")}: set KUBECONFIG to the path of one`);
  const contexts = files.flatMap((file) => file.contexts);
  const context = contexts.find((one) => one.name === name)?.context as Record<string, unknown> | undefined;
  if (!context) {
    const known = [...new Set(contexts.map((one) => one.name))].join(", ");
    throw new UserError(
      `there is no context ${JSON.stringify(name)} in ${paths.join(", ")}; existing contexts: ${known || "none"}`,
    );
  }
  const cluster = files.flatMap((file) => file.clusters).find((one) => one.name === context.cluster)
    ?.cluster as Record<string, unknown> | undefined;
  const server = cluster?.server;
  if (!cluster || typeof server !== "string")
    throw new UserError(
      `the context ${name} names the cluster ${String(context.cluster)}, which has no server in ${paths.join(", ")}`,
    );
  const credentials = (files.flatMap((file) => file.users).find((one) => one.name === context.user)?.user ??
    {}) as Record<string, unknown>;
  if (credentials["auth-provider"] !== undefined)
    throw new UserError(
      `the user ${String(context.user)} of the context ${name} has an auth-provider, which kubectl no longer supports: use an exec plugin`,
    );
  const exec = credentials.exec as { command?: unknown } | undefined;
  return {
    name,
    server,
    user: String(context.user ?? ""),
    cluster,
    credentials,
    ...(exec && { execPlugin: String(exec.command) }),
    insecure: cluster["insecure-skip-tls-verify"] === true || server.startsWith("http://"),
  };
}

async function readKubeconfig(path: string): Promise<z.infer<typeof schema> | undefined> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw new UserError(`the kubeconfig ${path} cannot be read: ${error.code ?? error.message}`);
  });
  if (text === undefined) return undefined;
  let document: unknown;
  try {
    document = parse(text) ?? {};
  } catch (error) {
    throw new UserError(`the kubeconfig ${path} is not YAML: ${(error as Error).message.split("\n")[0]}`);
  }
  const result = schema.safeParse(document);
  if (!result.success)
    throw new UserError(
      `the kubeconfig ${path}: ${result.error.issues[0]?.path.join(".")}: ${result.error.issues[0]?.message}`,
    );
  const folder = dirname(resolve(path));
  for (const { cluster } of result.data.clusters) makeAbsolute(cluster, ["certificate-authority"], folder);
  for (const { user } of result.data.users) {
    const entry = user as Record<string, unknown> | undefined;
    makeAbsolute(entry, ["client-certificate", "client-key", "tokenFile"], folder);
    const exec = entry?.exec as Record<string, unknown> | undefined;
    // A bare name is looked up on the PATH.
    if (typeof exec?.command === "string" && exec.command.includes("/"))
      makeAbsolute(exec, ["command"], folder);
  }
  return result.data;
}

function makeAbsolute(entry: unknown, keys: readonly string[], folder: string): void {
  const own = entry as Record<string, unknown> | null | undefined;
  for (const key of keys) {
    const path = own?.[key];
    if (own && typeof path === "string" && path !== "" && !isAbsolute(path)) own[key] = join(folder, path);
  }
}

/** The variables with which a plugin finds its files and programs. None of them is a secret. */
const pluginVariables = [
  "HOME",
  "PATH",
  "USER",
  "XDG_CONFIG_HOME",
  "XDG_CACHE_HOME",
  "AWS_PROFILE",
  "AWS_REGION",
  "CLOUDSDK_CONFIG",
];

/**
 * Returns a kubeconfig with only this context, named `operator-path`, and another namespace. Keeps
 * extensions, because container-tool finds the images of an embedded cluster through one.
 */
export async function privateKubeconfig(
  { cluster, credentials }: ExistingContext,
  namespace: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  return stringify(
    {
      apiVersion: "v1",
      kind: "Config",
      "current-context": ourContext,
      contexts: [{ name: ourContext, context: { cluster: ourContext, user: ourContext, namespace } }],
      clusters: [{ name: ourContext, cluster }],
      users: [{ name: ourContext, user: await withEnvironment(credentials, env) }],
    },
    { lineWidth: 0 },
  );
}

/** Shells of pages have their own HOME and PATH, so the plugin gets the user's values explicitly. */
async function withEnvironment(
  credentials: ExistingContext["credentials"],
  env: NodeJS.ProcessEnv,
): Promise<Readonly<Record<string, unknown>>> {
  const exec = credentials.exec as
    | { command: string; env?: { name: string; value: string }[] | null }
    | undefined;
  if (!exec) return credentials;
  const own = exec.env ?? [];
  const inherited = pluginVariables.flatMap((name) =>
    env[name] === undefined || own.some((one) => one.name === name) ? [] : [{ name, value: env[name] }],
  );
  const [found = exec.command] = exec.command.includes("/") ? [] : await executablesOnPath(exec.command, env);
  return { ...credentials, exec: { ...exec, command: found, env: [...own, ...inherited] } };
}

/**
 * The name of the cluster, user and context in the kubeconfigs that we write. Pages show the same output on
 * every cluster.
 */
const ourContext = "operator-path";

/** Returns a kubeconfig with only the current context, named `operator-path`. */
export function underOneContext(kubeconfig: string): string {
  const { currentContext, contexts, clusters, users } = parsed(kubeconfig);
  const context = contexts.find(({ name }) => name === currentContext);
  const own = new KubeConfig();
  own.loadFromOptions({
    clusters: clusters
      .filter(({ name }) => name === context?.cluster)
      .map((one) => ({ ...one, name: ourContext })),
    users: users.filter(({ name }) => name === context?.user).map((one) => ({ ...one, name: ourContext })),
    contexts: [{ name: ourContext, cluster: ourContext, user: ourContext }],
    currentContext: ourContext,
  });
  return own.exportConfig();
}

function parsed(text: string): KubeConfig {
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromString(text);
  return kubeConfig;
}
