export {
  type ImageStore,
  type LocalImage,
  type NamedImage,
  type NameList,
  openImageStore,
} from "./images/local/image-store.ts";
export {
  type ImageConfig,
  type ImageManifest,
  type ImageTool,
  imageTools,
  type ManifestFile,
  type ManifestLink,
  type ManifestTool,
} from "./images/local/manifest.ts";
export { type ImageReference, parseImageReference } from "./images/reference.ts";
export { expandVariables, splitWords } from "./process/words.ts";
