export { type BuildNodeImageOptions, buildNodeImage } from "./build-node-image.ts";
export { type CloudProvider, startCloudProvider } from "./cloud-provider.ts";
export { parseKindConfig, readKindConfig } from "./config/read-config.ts";
export type { KindClusterConfig, KindNode, ReadKindConfig } from "./config/schema.ts";
export { baseImageFlags, buildImage } from "./container-tool/build-image.ts";
export { containerToolPath } from "./container-tool/path.ts";
export { type CreateClusterOptions, createCluster, type KindCluster } from "./create-cluster.ts";
export { type DeleteClusterOptions, deleteCluster } from "./delete-cluster.ts";
export { type Description, describe as describeEngine, infoArguments } from "./engine/describe.ts";
export type { Engine, EngineName } from "./engine/engine.ts";
export { enginePatience, engines, type FindEngineOptions, findEngine } from "./engine/find-engine.ts";
export {
  hostOf,
  reachEngine,
  type Surroundings,
  surroundingsOf,
  type Unreached,
  type WayOut,
} from "./engine/reach-engine.ts";
export { type EnsuredCluster, ensureCluster } from "./ensure-cluster.ts";
export { type Explanation, explain as explainFailure } from "./errors/explain.ts";
export { KindError, type KindProblem } from "./errors/kind-error.ts";
export { exportLogs } from "./export-logs.ts";
export { exportKubeconfig, getKubeconfig, listClusters, listNodes } from "./get.ts";
export { type ClusterState, inspectCluster } from "./inspect-cluster.ts";
export type { KindEvent } from "./kind-event.ts";
export { kubeconfigPathFor } from "./kubeconfig.ts";
export { type LoadImagesOptions, loadDockerImages, loadImageArchive } from "./load-images.ts";
export { clusterNeeds, inGigabytes } from "./needs.ts";
export type { KindOptions } from "./options.ts";
export { connectRegistry } from "./registry/connect-registry.ts";
export type { RegistryOptions } from "./registry/registry-options.ts";
export { type Registry, startRegistry, stopRegistry } from "./registry/start-registry.ts";
export { type ProgressStream, showProgress } from "./show-progress.ts";
