import { nodeContainers } from "../containers.ts";
import { KindError } from "../errors/kind-error.ts";
import { sortNodes } from "../get.ts";
import { networkName } from "../network.ts";
import type { KindOptions } from "../options.ts";
import { prepareEngine } from "../prepare.ts";
import { runEngine } from "../run-kind.ts";
import { hostsFiles } from "./hosts.ts";
import { type RegistryOptions, withDefaults } from "./registry-options.ts";

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

function hosting(port: number): string {
  const data = {
    "localRegistryHosting.v1": `host: "localhost:${port}"\nhelp: "https://kind.sigs.k8s.io/docs/user/local-registry/"\n`,
  };
  const metadata = { name: "local-registry-hosting", namespace: "kube-public" };
  return JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata, data });
}
