export { createImageCatalog, type ImageCatalog } from "./images/catalog.ts";
export { defaultImages } from "./images/default-images.ts";
export { type ImageReference, parseImageReference } from "./images/reference.ts";
export { type Kubelet, type KubeletOptions, startKubelet } from "./kubelet.ts";
export {
  type ClusterNetwork,
  type ClusterNetworkOptions,
  startClusterNetwork,
} from "./network/cluster-network.ts";
export { DialError } from "./network/connections.ts";
export { type EgressProxy, startEgressProxy } from "./network/egress-proxy.ts";
export {
  type Caller,
  createPodNetwork,
  type Listener,
  type NetworkNamespace,
  type OutgoingRequest,
  type PodNetwork,
  type ServiceRoutes,
} from "./network/pod-network.ts";
export type { HttpHandler, SimulatedRequest, SimulatedResponse } from "./network/simulated-http.ts";
export type { FenceChoice, FenceReport } from "./process/boundary/find-boundary.ts";
export {
  createProcessHost,
  type FindImageTool,
  type OnReconcile,
  type ProcessHost,
  type ProcessHostOptions,
} from "./process/process-host.ts";
export type { ImageFile, ImageShell, ProcessContext, Program, SimulatedImage } from "./runtime/contracts.ts";
export { HostError } from "./runtime/errors.ts";
export { untilSignalled } from "./runtime/spawn.ts";
export { createKubeletCredentials, type KubeletCredentials } from "./server/kubelet-server.ts";
export { NodeRequestError } from "./server/node-connection.ts";
