import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { SimulatedImage } from "../../runtime/contracts.ts";
import type { ContainerFolder } from "../container-folder.ts";
import type { ProcessHost } from "../process-host.ts";
import { toolPaths } from "./tool-paths.ts";

/** The tools of a container, and the host's files that they use. */
export interface ToolSettings {
  /** Path in the container → absolute path of the host. */
  readonly executables: ReadonlyMap<string, string>;
  /** The folder of the host that is `/` in the container. */
  readonly root: string;
  /** A folder of the host for kubeconfigs. Nothing in the container can write to it. */
  readonly folder: string;
  /** An empty folder inside it. */
  readonly empty: string;
  /** A kubeconfig with the Pod's ServiceAccount. undefined: the container has none. */
  readonly kubeconfig: string | undefined;
  /**
   * A kubeconfig without a reachable server, for a tool that would look for an API server on this machine.
   */
  readonly nowhere: string;
}

/** Returns undefined if the image has no tools. */
export async function toolSettings(
  image: SimulatedImage,
  folder: ContainerFolder,
  host: Pick<ProcessHost, "tool" | "apiServer">,
): Promise<ToolSettings | undefined> {
  const tools = image.local?.manifest.tools ?? [];
  if (tools.length === 0) return undefined;
  const executables = new Map<string, string>();
  for (const { path, tool } of tools) executables.set(path, await host.tool(tool));
  const own = join(dirname(folder.root), "tools");
  const empty = join(own, "empty");
  mkdirSync(empty, { recursive: true, mode: 0o700 });
  const nowhere = join(own, "nowhere");
  // Nothing listens there. The error shows the path, which explains the reason.
  const server = "http://127.0.0.1:1/neither-kubeconfig-nor-service-account";
  writeKubeconfig(nowhere, { server }, {}, "default");
  const kubeconfig = serviceAccountKubeconfig(join(own, "kubeconfig"), folder, host.apiServer);
  return { executables, root: folder.root, folder: own, empty, nowhere, kubeconfig };
}

const serviceAccount = "/var/run/secrets/kubernetes.io/serviceaccount";

/**
 * Writes a kubeconfig for the Pod's ServiceAccount, because a program on the host does not find the token at
 * its usual path. The kubeconfig names the token's file, which is renewed.
 *
 * @returns the file's path. undefined: the Pod has no token
 */
function serviceAccountKubeconfig(
  path: string,
  folder: ContainerFolder,
  { host, port }: ProcessHost["apiServer"],
): string | undefined {
  const { toHost } = toolPaths(folder);
  const file = (name: string) => toHost(`${serviceAccount}/${name}`);
  if (![file("token"), file("ca.crt")].every((needed) => existsSync(needed))) return undefined;
  const namespace = existsSync(file("namespace"))
    ? readFileSync(file("namespace"), "utf8").trim()
    : "default";
  const cluster = { server: `https://${host}:${port}`, "certificate-authority": file("ca.crt") };
  writeKubeconfig(path, cluster, { tokenFile: file("token") }, namespace);
  return path;
}

/** Writes the file once, because a tool may be reading it. */
function writeKubeconfig(path: string, cluster: object, user: object, namespace: string): void {
  if (existsSync(path)) return;
  const config = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "pod", cluster }],
    users: [{ name: "pod", user }],
    contexts: [{ name: "pod", context: { cluster: "pod", user: "pod", namespace } }],
    "current-context": "pod",
  };
  // JSON is valid YAML.
  writeFileSync(path, JSON.stringify(config), { mode: 0o600 });
}
