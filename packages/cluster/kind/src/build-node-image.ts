import type { KindEvent } from "./kind-event.ts";
import type { KindOptions } from "./options.ts";

export interface BuildNodeImageOptions extends KindOptions {
  /** A version (`v1.36.3`), a release tarball's URL or file, or a folder with Kubernetes' sources. */
  readonly source: string;
  /** Default `kindest/node:latest`. */
  readonly image?: string;
  readonly baseImage?: string;
  /** `amd64`, `arm64`. Default: this machine's. */
  readonly arch?: string;
  readonly onProgress?: (event: KindEvent) => void;
}

/** `kind build node-image`: needs an engine that reaches the release site, or a tree of sources. The image's name. */
export async function buildNodeImage(_options: BuildNodeImageOptions): Promise<string> {
  throw new Error("not there yet");
}
