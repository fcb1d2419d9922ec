/** Where containerd looks for a folder for each registry, in a node. */
export const certsDirectory = "/etc/containerd/certs.d";

/** A file of a node. */
export interface HostsFile {
  readonly path: string;
  readonly content: string;
}

/**
 * The hosts.toml files that send a node to a registry container: for `localhost:<port>`, as images are called on this
 * machine, and for each registry that it stands in for. What it does not have is then asked of the real one.
 * https://github.com/containerd/containerd/blob/main/docs/hosts.md
 */
export function hostsFiles(registry: {
  name: string;
  port: number;
  mirrorOf: readonly string[];
}): HostsFile[] {
  const own = `[host."http://${registry.name}:5000"]\n`;
  return [
    { path: `${certsDirectory}/localhost:${registry.port}/hosts.toml`, content: own },
    ...registry.mirrorOf.map((host) => ({
      path: `${certsDirectory}/${host}/hosts.toml`,
      content: `server = "https://${serverOf(host)}"\n\n${own}  capabilities = ["pull", "resolve"]\n`,
    })),
  ];
}

/** docker.io is the name of a registry whose server has another one. */
function serverOf(host: string): string {
  return host === "docker.io" ? "registry-1.docker.io" : host;
}
