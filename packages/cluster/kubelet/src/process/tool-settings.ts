import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { SimulatedImage } from "../images/image.ts";
import type { ContainerFolder } from "./container-folder.ts";
import { createPaths } from "./preload/paths.ts";
import type { ToolSettings } from "./preload/settings.ts";
import type { ProcessHost } from "./process-host.ts";

/**
 * What a container's processes are told about the tools of their image; undefined: it has none.
 * @param others whether they may start other programs as well
 */
export async function toolSettings(
  image: SimulatedImage,
  folder: ContainerFolder,
  host: ProcessHost,
  others: boolean,
): Promise<ToolSettings | undefined> {
  const tools = image.local?.manifest.tools ?? [];
  if (tools.length === 0) return undefined;
  const executables: Record<string, string> = {};
  for (const { path, tool } of tools) executables[path] = await host.tool(tool);
  // Beside the root: nothing in the container has a name for it, and it may be written to where the root is read-only.
  const own = join(dirname(folder.root), "tools");
  mkdirSync(own, { recursive: true, mode: 0o700 });
  // What a process is given to start in the place of something that it may not.
  writeFileSync(join(own, "refused"), "", { mode: 0o600 });
  const nowhere = join(own, "nowhere");
  // Nothing listens there, and what the error names says why.
  const server = "http://127.0.0.1:1/neither-kubeconfig-nor-service-account";
  writeKubeconfig(nowhere, { server }, {}, "default");
  const kubeconfig = serviceAccountKubeconfig(join(own, "kubeconfig"), folder, host.apiServer);
  return { executables, folder: own, others, nowhere, ...(kubeconfig !== undefined && { kubeconfig }) };
}

const serviceAccount = "/var/run/secrets/kubernetes.io/serviceaccount";

/**
 * The Pod's ServiceAccount as a kubeconfig: a program of the host finds no token where one of a Pod looks for it. The token
 * is read from its file, which is renewed.
 *
 * @returns the file's path; undefined: the Pod has no token
 */
function serviceAccountKubeconfig(
  path: string,
  { root, mounts, reads }: ContainerFolder,
  { host, port }: ProcessHost["apiServer"],
): string | undefined {
  const { toHost } = createPaths({ root, mounts, visible: reads });
  const file = (name: string) => toHost(`${serviceAccount}/${name}`);
  if (![file("token"), file("ca.crt")].every((needed) => existsSync(needed))) return undefined;
  const namespace = existsSync(file("namespace"))
    ? readFileSync(file("namespace"), "utf8").trim()
    : "default";
  const cluster = { server: `https://${host}:${port}`, "certificate-authority": file("ca.crt") };
  writeKubeconfig(path, cluster, { tokenFile: file("token") }, namespace);
  return path;
}

/** Once: a tool may be reading it. */
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
  // JSON is YAML.
  writeFileSync(path, JSON.stringify(config), { mode: 0o600 });
}
