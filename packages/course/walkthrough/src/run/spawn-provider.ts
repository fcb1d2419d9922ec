import {
  type Cluster,
  type NodePlan,
  spawnEmbeddedCluster,
  spawnEnvtestCluster,
} from "@operator-path/cluster";

/**
 * Starts the run's cluster in a child process. Throws for a provider whose clusters a run does not start, and
 * ToolNotFoundError when the programs of a real control plane are missing and cannot be built, for lack of Go.
 */
export function spawnProvider(
  provider: Cluster["provider"],
  o: {
    readonly name: string;
    readonly directory: string;
    readonly nodes?: readonly NodePlan[];
    readonly activity: string;
  },
): Promise<Cluster> {
  // What a page shows must also work where an administrator enforces the strictest Pod Security level.
  const options = { ...o, podSecurity: "restricted" } as const;
  if (provider === "embedded") return spawnEmbeddedCluster(options);
  if (provider === "envtest") return spawnEnvtestCluster(options);
  throw new Error(
    `a cluster of the provider ${provider} cannot be started here: start it, and give it to the run`,
  );
}
