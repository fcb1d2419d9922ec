export type { ActivityRecord } from "./activity/record-activity.ts";
export type { Cluster, ClusterImages } from "./cluster.ts";
export { containerToolPath } from "./container-tool/path.ts";
export type { EmbeddedCluster, EmbeddedClusterOptions } from "./embedded/start.ts";
export {
  type SpawnEnvtestOptions,
  type SpawnedCluster,
  type SpawnedEnvtestCluster,
  type SpawnOptions,
  spawnEmbeddedCluster,
  spawnEnvtestCluster,
} from "./embedded-process/spawn.ts";
export type { EnvtestCluster, EnvtestClusterOptions } from "./envtest/start.ts";
export type { Consent } from "./existing/open.ts";
export { type ExistingCluster, type ExistingClusterOptions, openExistingCluster } from "./existing/open.ts";
export {
  type Access,
  accessName,
  type ClusterFaults,
  type FaultEvent,
  type FaultFacts,
} from "./faults/cluster-faults.ts";
export { startEmbeddedCluster, startEnvtestCluster } from "./in-process.ts";
export { type ReusedKindCluster, type ReuseKindOptions, reuseKindCluster } from "./kind/reuse.ts";
export {
  type KindClusterOptions,
  type KindProviderCluster,
  startKindCluster,
} from "./kind/start.ts";
export { type KindConfig, parseKindConfig, readKindConfig } from "./kind-config.ts";
export { type NodePlan, nameNodes } from "./node-plan.ts";
export { proveCluster } from "./prove-cluster.ts";
export { UserError } from "./user-error.ts";
