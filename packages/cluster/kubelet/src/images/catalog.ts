import { createHash } from "node:crypto";
import type { SimulatedImage } from "../runtime/contracts.ts";
import type { ImageReference } from "./reference.ts";

/** The simulated registries: the references that nodes can pull, and their images. */
export interface ImageCatalog {
  find(reference: ImageReference): SimulatedImage | undefined;
  /** Returns the full names of the images that nodes hold from the start. */
  preloaded(): string[];
  /**
   * Returns the image that was loaded into every node after the start, and when (ms since epoch). Default: no
   * image is loaded later.
   */
  loaded?(reference: ImageReference): { image: SimulatedImage; at: number } | undefined;
  /** Called when a node has pulled an image. */
  pulled?(reference: ImageReference, image: SimulatedImage): void;
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

/**
 * Returns the digest that the status shows. A simulated image has no manifest, so its digest is a hash of its
 * name and matches no registry.
 */
export function imageDigest(reference: ImageReference, image?: SimulatedImage): string {
  if (reference.digest) return reference.digest;
  if (image?.local) return image.local.digest;
  return `sha256:${createHash("sha256").update(`operator-path simulated image ${reference.name}`).digest("hex")}`;
}

/** Returns the size of the image's files in bytes. */
export function imageSize(image: SimulatedImage, tag: string): number {
  if (image.local) return image.local.size;
  const contents = Object.values(image.files(tag)).map((file) =>
    typeof file === "string" ? file : file.content,
  );
  return contents.reduce((sum, content) => sum + Buffer.byteLength(content), 0);
}
