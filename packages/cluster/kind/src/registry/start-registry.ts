import { nodeContainers, removeContainers, removeUnusedNetwork } from "../containers.ts";
import { KindError } from "../errors/kind-error.ts";
import { sortNodes } from "../get.ts";
import type { KindOptions } from "../options.ts";
import { prepareEngine } from "../prepare.ts";
import { runEngine } from "../run-kind.ts";
import { runProgram } from "../run-program.ts";
import { hostsFiles } from "./hosts.ts";

export interface RegistryOptions {
  /** The container's name, and its host on the network of the nodes. Default `kind-registry`. */
  readonly name?: string;
  /** Port on 127.0.0.1 of this machine; images are then `localhost:5001/…`. Default 5001. */
  readonly port?: number;
  /** Default: KIND_REGISTRY_IMAGE of the environment, or `registry:3`. */
  readonly image?: string;
  /** Registries that it stands in for, so that a node asks it first: `["docker.io"]`. Default: none. */
  readonly mirrorOf?: readonly string[];
}

export interface Registry {
  readonly name: string;
  readonly port: number;
  /** What images are tagged with on this machine: `localhost:5001`. */
  readonly host: string;
  /** False: it ran already. */
  readonly started: boolean;
}

/**
 * The pattern that kind documents (https://kind.sigs.k8s.io/docs/user/local-registry/): a registry in a container, on
 * loopback and on the network of the nodes. One that runs is used. It can be there before the first cluster.
 */
export async function startRegistry(options: RegistryOptions & KindOptions = {}): Promise<Registry> {
  const { name, port } = withDefaults(options);
  const tools = await prepareEngine(options);
  const image = options.image ?? (tools.env.KIND_REGISTRY_IMAGE || "registry:3");
  const registry = { name, port, host: `localhost:${port}` };
  const words = { what: `the registry ${name} was not started`, signal: options.signal };
  const state = await runProgram(
    tools.engine.path,
    ["inspect", "--format", "{{.State.Running}} {{json .HostConfig.PortBindings}}", name],
    {
      env: tools.env,
    },
  );
  if (!state.failed) {
    const [running = "", bindings = ""] = state.stdout.trim().split(" ");
    if (!bindings.includes(`"${port}"`)) throw otherPort(name, port);
    if (running === "true") return { ...registry, started: false };
    await runEngine(tools, ["start", name], words);
    return { ...registry, started: true };
  }
  try {
    const publish = `127.0.0.1:${port}:5000`;
    await runEngine(
      tools,
      ["run", "--detach", "--restart", "always", "--publish", publish, "--name", name, image],
      words,
    );
  } catch (error) {
    // A port that is taken leaves a container that was never started.
    await removeContainers(tools, [name]).catch(() => undefined);
    throw error;
  }
  return { ...registry, started: true };
}

/**
 * Puts the registry on the network of a cluster's nodes, and tells them: a hosts.toml in each one's /etc/containerd/certs.d,
 * and the ConfigMap local-registry-hosting (KEP-1755). `createCluster` does so itself when it is given a registry.
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
  const network = tools.env.KIND_EXPERIMENTAL_DOCKER_NETWORK || "kind";
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
    const [cause, fix] = [`there is no cluster ${cluster}`, "`kind get clusters` lists what is there."];
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

/** Removes the registry with what it holds, and kind's network when that was its last use. False: there was none. */
export async function stopRegistry(options: { readonly name?: string } & KindOptions = {}): Promise<boolean> {
  const { name } = withDefaults(options);
  const tools = await prepareEngine(options);
  const there = await runProgram(tools.engine.path, ["inspect", "--format", "{{.Id}}", name], {
    env: tools.env,
  });
  if (!there.failed) await removeContainers(tools, [name]);
  await removeUnusedNetwork(tools);
  return !there.failed;
}

function withDefaults({ name = "kind-registry", port = 5001, mirrorOf = [] }: RegistryOptions) {
  return { name, port, mirrorOf };
}

function hosting(port: number): string {
  const data = {
    "localRegistryHosting.v1": `host: "localhost:${port}"\nhelp: "https://kind.sigs.k8s.io/docs/user/local-registry/"\n`,
  };
  const metadata = { name: "local-registry-hosting", namespace: "kube-public" };
  return JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata, data });
}

function otherPort(name: string, port: number): KindError {
  return new KindError({
    problem: "name-exists",
    what: `the registry ${name} was not started`,
    cause: `there is a container ${name} already, which is not at port ${port}`,
    fix: "Name its port, or another name.",
  });
}
