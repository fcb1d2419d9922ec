import type { KindOptions } from "./options.ts";

export interface LoadImagesOptions extends KindOptions {
  /** Default `kind`. */
  readonly name?: string;
  /** Default: all. */
  readonly nodes?: readonly string[];
}

/** Copies images that the engine has into the nodes; one that is there already is left alone. Throws KindError `image-missing`. */
export async function loadDockerImages(
  _images: readonly string[],
  _options: LoadImagesOptions = {},
): Promise<void> {
  throw new Error("not there yet");
}

/** The same from a file that `docker save` wrote. */
export async function loadImageArchive(_file: string, _options: LoadImagesOptions = {}): Promise<void> {
  throw new Error("not there yet");
}
