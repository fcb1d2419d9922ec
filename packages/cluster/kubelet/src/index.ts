export { NodeRequestError } from "./connection.ts";
export { createImageCatalog, type ImageCatalog } from "./images/catalog.ts";
export { defaultImages } from "./images/default-images.ts";
export type { ImageFile, ImageShell, SimulatedImage } from "./images/image.ts";
export { type ImageReference, parseImageReference } from "./images/reference.ts";
export { type Kubelet, type KubeletOptions, startKubelet } from "./kubelet.ts";
export {
  createPodNetwork,
  type Listener,
  type NetworkNamespace,
  type PodNetwork,
} from "./network/pod-network.ts";
export { type ProcessContext, type Program, untilSignalled } from "./runtime/program.ts";
