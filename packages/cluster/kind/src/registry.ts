import { z } from "zod";
import { networkName, nodeContainers, removeContainers, removeOurNetwork } from "./containers.ts";
import { KindError } from "./errors/kind-error.ts";
import { sortNodes } from "./get.ts";
import { ourLabel } from "./ours.ts";
import { type KindOptions, type Prepared, prepareEngine } from "./prepare.ts";
import { type RunWords, runEngine } from "./run-kind.ts";

export interface Registry {
  readonly name: string;
  readonly port: number;
  /** The prefix of image tags on this machine: `localhost:5001`. */
  readonly host: string;
  /** False if it was already running. */
  readonly started: boolean;
}

/**
 * Starts a registry as kind documents (https://kind.sigs.k8s.io/docs/user/local-registry/): in a container,
 * on loopback and on the network of the nodes. Uses a running one. May be called before the first cluster
 * exists.
 */
export async function startRegistry(options: RegistryOptions & KindOptions = {}): Promise<Registry> {
  const { name, port } = withDefaults(options);
  const tools = await prepareEngine(options);
  const image = options.image ?? (tools.env.KIND_REGISTRY_IMAGE || "docker.io/library/registry:3");
  const registry = { name, port, host: `localhost:${port}` };
  const words = { what: `the registry ${name} was not started`, signal: options.signal };
  const there = await inspectContainer(tools, name, words);
  if (there) {
    if (!there.ports.includes(port)) throw otherPort(name, port);
    if (!there.running) await runEngine(tools, ["start", name], words);
    return { ...registry, started: false };
  }
  const publish = `127.0.0.1:${port}:5000`;
  const flags = ["--restart", "always", "--publish", publish, "--label", `${ourLabel}=registry`];
  try {
    await runEngine(tools, ["run", "--detach", ...flags, "--name", name, image], words);
  } catch (error) {
    // A taken port leaves a container that was never started. Another container of that name stays.
    const left = await inspectContainer(tools, name, { what: words.what }).catch(() => undefined);
    if (left?.ours && !left.running) await removeContainers(tools, [name]).catch(() => undefined);
    throw error;
  }
  return { ...registry, started: true };
}

/**
 * Removes a registry that `startRegistry` has created, with its contents, and kind's network if that is ours
 * and unused. Returns false if there was none, or it is not ours.
 */
export async function stopRegistry(options: { readonly name?: string } & KindOptions = {}): Promise<boolean> {
  const { name } = withDefaults(options);
  const tools = await prepareEngine(options);
  const words = { what: `the registry ${name} was not stopped`, signal: options.signal };
  const ours = (await inspectContainer(tools, name, words))?.ours === true;
  if (ours) await removeContainers(tools, [name], options.signal);
  await removeOurNetwork(tools, options.signal);
  return ours;
}

function otherPort(name: string, port: number): KindError {
  return new KindError({
    problem: "name-exists",
    what: `the registry ${name} was not started`,
    cause: `container ${name} already exists, but not on port ${port}`,
    fix: "Use its port, or choose another name.",
  });
}

/**
 * Connects the registry to the network of a cluster's nodes, and configures them: a hosts.toml in each node's
 * /etc/containerd/certs.d, and the ConfigMap local-registry-hosting (KEP-1755). `createCluster` does this
 * itself if it is given a registry.
 */
export async function connectRegistry(
  cluster: string,
  options: RegistryOptions & KindOptions = {},
): Promise<void> {
  const { name, port, mirrorOf } = withDefaults(options);
  const tools = await prepareEngine(options);
  const words = {
    what: `cluster ${cluster} was not connected to the registry ${name}`,
    cluster,
    signal: options.signal,
  };
  const network = networkName(tools);
  const { stdout } = await runEngine(
    tools,
    ["inspect", "--format", "{{json .NetworkSettings.Networks}}", name],
    words,
  );
  if (!Object.hasOwn(JSON.parse(stdout) as object, network)) {
    await runEngine(tools, ["network", "connect", network, name], words);
  }
  const nodes = sortNodes(await nodeContainers(tools, cluster, options.signal), cluster);
  if (nodes[0] === undefined) {
    const [cause, fix] = [`there is no cluster ${cluster}`, "`kind get clusters` lists the clusters."];
    throw new KindError({ problem: "no-cluster", what: words.what, cause, fix });
  }
  const script = 'mkdir -p "$(dirname "$1")" && cat > "$1"';
  for (const node of nodes) {
    for (const { path, content } of hostsFiles({ name, port, mirrorOf })) {
      const args = ["exec", "--interactive", node, "sh", "-c", script, "sh", path];
      await runEngine(tools, args, { ...words, input: content });
    }
  }
  const kubectl = ["kubectl", "--kubeconfig=/etc/kubernetes/admin.conf", "apply", "-f", "-"];
  await runEngine(tools, ["exec", "--interactive", nodes[0], ...kubectl], { ...words, input: hosting(port) });
}

function hosting(port: number): string {
  const data = {
    "localRegistryHosting.v1": `host: "localhost:${port}"\nhelp: "https://kind.sigs.k8s.io/docs/user/local-registry/"\n`,
  };
  const metadata = { name: "local-registry-hosting", namespace: "kube-public" };
  return JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata, data });
}

/** The details of a container that matter for a registry. */
interface Container {
  readonly running: boolean;
  /** Of this machine. */
  readonly ports: readonly number[];
  /** Created by `startRegistry`. */
  readonly ours: boolean;
}

const bindings = z.record(z.string(), z.array(z.object({ HostPort: z.string() })).nullable());
const inspected = z.tuple([
  z.object({
    State: z.object({ Running: z.boolean() }),
    HostConfig: z.object({ PortBindings: bindings.nullish() }),
    Config: z.object({ Labels: z.record(z.string(), z.string()).nullish() }),
  }),
]);

/**
 * Returns the container of a name, or undefined if the engine reports that it does not exist. Throws
 * KindError for any other error.
 */
async function inspectContainer(
  tools: Omit<Prepared, "kind">,
  name: string,
  words: RunWords,
): Promise<Container | undefined> {
  let stdout: string;
  try {
    ({ stdout } = await runEngine(tools, ["container", "inspect", name], words));
  } catch (error) {
    const output = error instanceof KindError ? error.output : undefined;
    if (/no such (?:object|container)/i.test(output ?? "")) return undefined;
    throw error;
  }
  const [{ State, HostConfig, Config }] = inspected.parse(JSON.parse(stdout));
  return {
    running: State.Running,
    ports: Object.values(HostConfig.PortBindings ?? {}).flatMap((each) =>
      (each ?? []).map(({ HostPort }) => Number(HostPort)),
    ),
    ours: Config.Labels?.[ourLabel] === "registry",
  };
}

/** The folder in a node where containerd looks up registries. */
export const certsDirectory = "/etc/containerd/certs.d";

/** A file in a node. */
interface HostsFile {
  readonly path: string;
  readonly content: string;
}

/**
 * Returns the hosts.toml files that redirect a node to a registry container: for `localhost:<port>`, as
 * images are named on this machine, and for each mirrored registry. The real registry serves what the
 * container lacks. https://github.com/containerd/containerd/blob/main/docs/hosts.md
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

/** The server of docker.io has another name. */
function serverOf(host: string): string {
  return host === "docker.io" ? "registry-1.docker.io" : host;
}

export interface RegistryOptions {
  /** The container's name, and its host on the network of the nodes. Default: `kind-registry`. */
  readonly name?: string;
  /** Port on 127.0.0.1 of this machine. Images are then `localhost:5001/…`. Default: 5001. */
  readonly port?: number;
  /** Default: KIND_REGISTRY_IMAGE of the environment, or `docker.io/library/registry:3`. */
  readonly image?: string;
  /** Registries that it mirrors, so that a node asks it first: `["docker.io"]`. Default: none. */
  readonly mirrorOf?: readonly string[];
}

/** The defaults of kind's documentation. */
function withDefaults({ name = "kind-registry", port = 5001, mirrorOf = [] }: RegistryOptions) {
  return { name, port, mirrorOf };
}
