import { executablesOnPath } from "@operator-path/tools";
import { execa } from "execa";
import { loadBalancers, removeContainers } from "./containers.ts";
import type { KindOptions } from "./prepare.ts";
import { prepareEngine } from "./prepare.ts";

export interface CloudProvider {
  /** Stops it, and removes the containers of the load balancers that it has created. */
  stop(): Promise<void>;
}

/**
 * Starts cloud-provider-kind (https://github.com/kubernetes-sigs/cloud-provider-kind), which gives Services
 * of type LoadBalancer an address. Returns undefined if it is not on the PATH. It ends with `stop`, with the
 * signal, and with this process.
 */
export async function startCloudProvider(options: KindOptions = {}): Promise<CloudProvider | undefined> {
  const { env = process.env, signal, log } = options;
  const [path] = await executablesOnPath("cloud-provider-kind", env);
  if (path === undefined) return undefined;
  const tools = await prepareEngine(options);
  const before = await loadBalancers(tools);
  const child = execa(path, [], {
    env: tools.env,
    extendEnv: false,
    reject: false,
    stdin: "ignore",
    buffer: false,
    stdout: "ignore",
    ...(signal && { cancelSignal: signal }),
  });
  if (log) void forward(child.iterable({ from: "stderr" }), log);
  return {
    async stop() {
      child.kill();
      await child;
      const made = (await loadBalancers(tools)).filter((name) => !before.includes(name));
      await removeContainers(tools, made);
    },
  };
}

async function forward(lines: AsyncIterable<unknown>, log: (line: string) => void): Promise<void> {
  for await (const line of lines) log(String(line));
}
