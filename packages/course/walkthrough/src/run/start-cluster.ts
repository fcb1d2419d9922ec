import { existsSync } from "node:fs";
import { join } from "node:path";
import { createClient, namespaces } from "@operator-path/client";
import {
  type Cluster,
  type NodePlan,
  nameNodes,
  readKindConfig,
  spawnEmbeddedCluster,
  spawnEnvtestCluster,
} from "@operator-path/cluster";

/**
 * Returns the name and nodes that a tutorial's kind-cluster.yaml asks for, so that a page shows the same
 * nodes on every provider. Without that file: one node, in a cluster called `name`. Throws UserError for an
 * invalid file.
 */
export async function clusterOf(
  tutorial: string,
  name: string,
): Promise<{ name: string; nodes?: NodePlan[] }> {
  const file = join(tutorial, "kind-cluster.yaml");
  if (!existsSync(file)) return { name };
  // "kind" is kind's own default.
  const { name: own = "kind", nodes } = await readKindConfig(file);
  return { name: own, ...(nodes && { nodes: nameNodes(own, nodes) }) };
}

/**
 * Starts a run's cluster in a child process. Throws for a provider whose clusters a run does not start, and
 * ToolNotFoundError when the programs of a real control plane are missing and cannot be built without Go.
 */
export function startCluster(
  provider: Cluster["provider"],
  plan: {
    readonly name: string;
    readonly directory: string;
    readonly nodes?: readonly NodePlan[];
    readonly activity: string;
  },
): Promise<Cluster> {
  // What a page shows must also work where an administrator enforces the strictest Pod Security level.
  const options = { ...plan, podSecurity: "restricted" } as const;
  if (provider === "embedded") return spawnEmbeddedCluster(options);
  if (provider === "envtest") return spawnEnvtestCluster(options);
  throw new Error(
    `a cluster of the provider ${provider} cannot be started here: start it, and give it to the run`,
  );
}

/** Enforces the same level in a kind cluster, which all pages share and which is deleted at the end. */
export async function enforceRestricted({ kubeConfig }: Cluster): Promise<void> {
  const client = createClient(kubeConfig, { userAgent: "walkthrough", onWarning: () => {} });
  const labels = { "pod-security.kubernetes.io/enforce": "restricted" };
  await client.resource(namespaces).patch("default", { metadata: { labels } }, { type: "merge" });
  await client.close();
}

/**
 * Returns variables with which Makefiles of pages do not ask about a cluster again: `make` reads them as
 * CONTEXT=….
 */
export function agreedContext({ kubeConfig }: Cluster): Readonly<Record<string, string>> {
  return { MAKEFLAGS: `CONTEXT=${kubeConfig.getCurrentContext()}` };
}

const proxyNames = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY"];

/**
 * Returns the proxy variables for the programs of a page, so that they reach a cluster behind a proxy.
 * NO_PROXY includes this machine, because what a page serves runs here.
 */
export function proxyVariables(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const given = proxyNames
    .flatMap((name) => [name, name.toLowerCase()])
    .flatMap((name) => (env[name] ? [[name, env[name]] as const] : []));
  if (given.length === 0) return {};
  const direct = [env.NO_PROXY ?? env.no_proxy, "localhost", "127.0.0.1", "::1"].filter(Boolean).join(",");
  return { ...Object.fromEntries(given), NO_PROXY: direct, no_proxy: direct };
}
