export type { Cluster } from "./cluster.ts";
export { type EmbeddedCluster, type EmbeddedClusterOptions, startEmbeddedCluster } from "./embedded/start.ts";
export { type SpawnedCluster, type SpawnOptions, spawnEmbeddedCluster } from "./embedded-process/spawn.ts";
export { type KindConfig, parseKindConfig, readKindConfig } from "./kind-config.ts";
export { type NodePlan, nameNodes } from "./node-plan.ts";
export { UserError } from "./user-error.ts";
