import { executablesOnPath } from "@operator-path/tools";
import { execa } from "execa";
import { removeLoadBalancers } from "./containers.ts";
import { listClusters } from "./get.ts";
import type { KindOptions } from "./options.ts";
import { prepareEngine } from "./prepare.ts";

export interface CloudProvider {
  /** Ends it, and removes the containers of its load balancers. */
  stop(): Promise<void>;
}

/**
 * Starts cloud-provider-kind (https://github.com/kubernetes-sigs/cloud-provider-kind), which gives Services of type
 * LoadBalancer an address, when it is on the PATH. Undefined: it is not. It ends with `stop`, with the signal, and with
 * this process.
 */
export async function startCloudProvider(options: KindOptions = {}): Promise<CloudProvider | undefined> {
  const { env = process.env, signal, log } = options;
  const [path] = await executablesOnPath("cloud-provider-kind", env);
  if (path === undefined) return undefined;
  const tools = await prepareEngine(options);
  const child = execa(path, [], {
    env: tools.env,
    extendEnv: false,
    reject: false,
    stdin: "ignore",
    buffer: false,
    stdout: "ignore",
    ...(signal && { cancelSignal: signal }),
  });
  if (log) void tell(child.iterable({ from: "stderr" }), log);
  return {
    async stop() {
      child.kill();
      await child;
      for (const cluster of await listClusters({ engine: tools.engine, env: tools.env })) {
        await removeLoadBalancers(tools, cluster);
      }
    },
  };
}

async function tell(lines: AsyncIterable<unknown>, log: (line: string) => void): Promise<void> {
  for await (const line of lines) log(String(line));
}
