export {
  type ImageStore,
  type LocalImage,
  type NamedImage,
  type NameList,
  openImageStore,
} from "./images/local/image-store.ts";
export type { ImageConfig, ImageManifest, ManifestFile, ManifestLink } from "./images/local/manifest.ts";
export { type ImageReference, parseImageReference } from "./images/reference.ts";
export { expandVariables, splitWords } from "./process/words.ts";
