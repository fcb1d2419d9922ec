import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { KubeConfig } from "@operator-path/client";
import { homePrefix, sweepHomes } from "./sweep-homes.ts";

/** The only folder that helm may write to. The rest of the file system may be read-only. */
export interface Home {
  readonly folder: string;
  /** The whole environment of helm's processes. They inherit nothing. */
  readonly environment: Readonly<Record<string, string>>;
  /**
   * Returns the content of helm's descriptor 3, to which KUBECONFIG leads; undefined: there is none. A file
   * in the folder would stay behind, with its token, when this process is killed.
   */
  kubeconfig(): string | undefined;
  remove(): Promise<void>;
}

/** A path under which a process can open its descriptor 3 repeatedly. */
const thirdDescriptor = "/dev/fd/3";

/** In a Pod, client-go finds the server by these variables, and the token in the Pod's files. */
const inCluster = ["KUBERNETES_SERVICE_HOST", "KUBERNETES_SERVICE_PORT"];

export interface HomeOptions {
  /** undefined: helm runs in a Pod, with its ServiceAccount. */
  readonly kubeconfig: string | KubeConfig | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Creates a folder for this user only, among the temporary files. Removes the folders of killed operators.
 */
export async function createHome({ kubeconfig, environment, env }: HomeOptions): Promise<Home> {
  const parent = tmpdir();
  await sweepHomes(parent);
  const folder = await mkdtemp(join(parent, homePrefix(process.pid)));
  const own = (name: string) => join(folder, name);
  await mkdir(own("tmp"));
  const server: Record<string, string> = {};
  const byDescriptor = kubeconfig instanceof KubeConfig && opensDescriptorsAnew(env);
  if (byDescriptor) server.KUBECONFIG = thirdDescriptor;
  else if (kubeconfig instanceof KubeConfig) {
    server.KUBECONFIG = own("kubeconfig");
    await writeFile(server.KUBECONFIG, kubeconfig.exportConfig(), { mode: 0o600 });
  } else if (kubeconfig !== undefined) {
    server.KUBECONFIG = resolve(kubeconfig);
  } else {
    for (const name of inCluster) if (env[name] !== undefined) server[name] = env[name];
    // Without it, client-go would look into HOME, find nothing, and then try a server on this machine.
    server.KUBECONFIG = own("none");
  }
  return {
    folder,
    environment: {
      HOME: folder,
      ...passedOn(environment),
      ...server,
      // client-go caches the server's kinds, by default in HOME.
      ...(environment.HOME !== undefined && { KUBECACHEDIR: own("kube") }),
      TMPDIR: own("tmp"),
      HELM_CACHE_HOME: own("cache"),
      HELM_CONFIG_HOME: own("config"),
      HELM_DATA_HOME: own("data"),
      HELM_DRIVER: "secret",
      HELM_NO_PLUGINS: "1",
    },
    kubeconfig: () => (byDescriptor ? kubeconfig.exportConfig() : undefined),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/**
 * helm reads its kubeconfig more than once. Only Linux opens a descriptor's file from its beginning each
 * time; elsewhere the second reader would find nothing. In a Pod the folder disappears with the container,
 * and a Pod of the embedded cluster passes on only three descriptors.
 */
function opensDescriptorsAnew(env: HomeOptions["env"]): boolean {
  return process.platform === "linux" && env.KUBERNETES_SERVICE_HOST === undefined;
}

/** helm's own variables would mislead it: another namespace, another server, another storage for releases. */
function passedOn(environment: HomeOptions["environment"]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith("HELM_"),
    ),
  );
}
