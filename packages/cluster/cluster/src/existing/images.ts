import { readFile } from "node:fs/promises";
import { KubeConfig } from "@operator-path/client";
import { findEngine, getKubeconfig, KindError, listClusters } from "@operator-path/kind";
import { ToolNotFoundError } from "@operator-path/tools";
import type { ClusterImages } from "../cluster.ts";
import { containerToolPath, imagesExtension, pushVariable } from "../container-tool/path.ts";
import { kindImages } from "../kind/images.ts";
import { isSameServer, type ServerIdentity } from "../prove-cluster.ts";
import type { ExistingContext } from "./context.ts";

/**
 * Returns how this machine's images get into the cluster of a context. If the kubeconfig names an image
 * folder, as for an embedded cluster, container-tool does it. For a kind cluster of this machine's engine,
 * they are loaded. Otherwise returns undefined.
 *
 * @param directory for the tool that is written
 */
export async function imagesOf(
  context: ExistingContext,
  directory: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<ClusterImages | undefined> {
  const extensions = context.cluster.extensions;
  if (Array.isArray(extensions) && extensions.some((one) => one?.name === imagesExtension))
    return {
      tool: containerToolPath(),
      env: { [pushVariable]: "load" },
      ...{ programs: new Map(), containers: false },
    };
  const [, name] = /^kind-(.+)$/.exec(context.name) ?? [];
  if (name === undefined) return undefined;
  try {
    const engine = await findEngine({ env });
    if (!(await listClusters({ engine, env })).includes(name)) return undefined;
    const kubeConfig = new KubeConfig();
    kubeConfig.loadFromString(await getKubeconfig(name, { engine, env }));
    // Another cluster may have that name, or that address through a tunnel.
    const kinds = kubeConfig.getCurrentCluster();
    if (kinds === null || !isSameServer(kinds, await identityOf(context))) return undefined;
    return await kindImages(name, engine, directory, env);
  } catch (error) {
    if (error instanceof KindError || error instanceof ToolNotFoundError) return undefined;
    throw error;
  }
}

async function identityOf({ cluster, server, insecure }: ExistingContext): Promise<ServerIdentity> {
  const data = cluster["certificate-authority-data"];
  const file = cluster["certificate-authority"];
  const caData =
    typeof data === "string"
      ? data
      : typeof file === "string"
        ? await readFile(file, "base64").catch(() => undefined)
        : undefined;
  return { server, caData, skipTLSVerify: insecure };
}
