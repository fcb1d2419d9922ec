import { createHash } from "node:crypto";
import type { SimulatedImage } from "../runtime/contracts.ts";
import type { ImageReference } from "./reference.ts";

/** The registries of the simulated world: which references can be pulled, and what they are. */
export interface ImageCatalog {
  find(reference: ImageReference): SimulatedImage | undefined;
  /** Every image that nodes hold from the start, by full name. */
  preloaded(): string[];
  /** The image that was put on every node after the start, and when (ms since epoch). Default: none ever is. */
  loaded?(reference: ImageReference): { image: SimulatedImage; at: number } | undefined;
}

export function createImageCatalog(images: readonly SimulatedImage[]): ImageCatalog {
  return {
    find: ({ repository, tag }) =>
      images.find(
        (image) =>
          image.repository === repository &&
          (image.tags === "any" || tag === undefined || image.tags.includes(tag)),
      ),
    preloaded: () =>
      images
        .filter((image) => image.preloaded)
        .flatMap((image) =>
          (image.tags === "any" ? ["latest"] : image.tags).map((tag) => `${image.repository}:${tag}`),
        ),
  };
}

/** The digest by which status names the image. A simulated image has no manifest: this is a hash of its name, and no registry's. */
export function imageDigest(reference: ImageReference, image?: SimulatedImage): string {
  if (reference.digest) return reference.digest;
  if (image?.local) return image.local.digest;
  return `sha256:${createHash("sha256").update(`operator-path simulated image ${reference.name}`).digest("hex")}`;
}

/** Bytes of the files in the simulated image. */
export function imageSize(image: SimulatedImage, tag: string): number {
  if (image.local) return image.local.size;
  const contents = Object.values(image.files(tag)).map((file) =>
    typeof file === "string" ? file : file.content,
  );
  return contents.reduce((sum, content) => sum + Buffer.byteLength(content), 0);
}
