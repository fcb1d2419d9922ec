import type { KindOptions } from "./prepare.ts";
import { prepare } from "./prepare.ts";
import type { KindEvent } from "./progress.ts";
import { createProgress } from "./progress.ts";
import { runKind } from "./run-kind.ts";

export interface BuildNodeImageOptions extends KindOptions {
  /** A version (`v1.36.4`), a release tarball's URL or file, or a folder with Kubernetes' sources. */
  readonly source: string;
  /** The type of `source`. Default: kind detects it. */
  readonly type?: "url" | "file" | "release" | "ci" | "source";
  /** Default: `kindest/node:latest`. */
  readonly image?: string;
  readonly baseImage?: string;
  /** `amd64`, `arm64`. Default: this machine's. */
  readonly arch?: string;
  readonly onProgress?: (event: KindEvent) => void;
}

/**
 * Runs `kind build node-image`, and returns the image's name. Needs an engine that can reach the release site,
 * or a tree of sources.
 */
export async function buildNodeImage(options: BuildNodeImageOptions): Promise<string> {
  const { source, type, image = "kindest/node:latest", baseImage, arch, signal, onProgress } = options;
  const progress = createProgress(onProgress ?? (() => undefined));
  const args = ["build", "node-image", source, "--image", image];
  if (type !== undefined) args.push("--type", type);
  if (baseImage !== undefined) args.push("--base-image", baseImage);
  if (arch !== undefined) args.push("--arch", arch);
  await runKind(await prepare(options), args, {
    what: `the node image ${image} was not built`,
    signal,
    onLine: (line) => progress.line(line),
  });
  return image;
}
