export { type BuildNodeImageOptions, buildNodeImage } from "./build-node-image.ts";
export { type CloudProvider, startCloudProvider } from "./cloud-provider.ts";
export { parseKindConfig, readKindConfig } from "./config/read-config.ts";
export type { KindClusterConfig, KindNode, ReadKindConfig } from "./config/schema.ts";
export { baseImageFlags, buildImage, containerToolPath } from "./container-tool/container-tool.ts";
export { type CreateClusterOptions, createCluster, type KindCluster } from "./create-cluster.ts";
export { type DeleteClusterOptions, deleteCluster } from "./delete-cluster.ts";
export type { Engine, EngineName } from "./engine/engine.ts";
export { type Description, describe as describeEngine, infoArguments } from "./engine/engine.ts";
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
export { exportKubeconfig, exportLogs, getKubeconfig, listClusters, listNodes } from "./get.ts";
export { type ClusterState, inspectCluster } from "./inspect-cluster.ts";
export { kubeconfigPathFor } from "./kubeconfig.ts";
export { type LoadImagesOptions, loadDockerImages, loadImageArchive } from "./load-images.ts";
export { clusterNeeds, inGigabytes } from "./needs.ts";
export type { KindOptions } from "./prepare.ts";
export type { KindEvent } from "./progress.ts";
export { type ProgressStream, showProgress } from "./progress.ts";
export type { RegistryOptions } from "./registry.ts";
export { connectRegistry, type Registry, startRegistry, stopRegistry } from "./registry.ts";
