import { join } from "node:path";
import { type KindOptions, prepareEngine } from "../prepare.ts";
import { runEngine } from "../run-kind.ts";

/**
 * A program for CONTAINER_TOOL of a Makefile, on kind. `build …` is the engine's own build, with `--build-arg NAME` for each
 * of NODE_IMAGE and HELM_IMAGE that the environment has; `push IMAGE` loads the image into the cluster (KIND_CLUSTER,
 * default `kind`) instead; everything else is the engine's own. Exits as the engine does, or with 1 and `error: …`.
 */
export function containerToolPath(): string {
  return join(import.meta.dirname, "..", "..", "bin", "kind-container-tool");
}

/** Base images that a Dockerfile takes as build arguments, so that a machine without a registry can bring its own. */
const baseImageArguments = ["NODE_IMAGE", "HELM_IMAGE"] as const;

/** `--build-arg NAME=value` for each base image that the environment names. */
export function baseImageFlags(env: NodeJS.ProcessEnv): string[] {
  return baseImageArguments.flatMap((name) => (env[name] ? ["--build-arg", `${name}=${env[name]}`] : []));
}

/** Builds the Dockerfile in a folder with the engine, under a tag. Throws KindError with the build's last words. */
export async function buildImage(tag: string, context: string, options: KindOptions = {}): Promise<void> {
  const tools = await prepareEngine(options);
  await runEngine(tools, ["build", ...baseImageFlags(tools.env), "--tag", tag, context], {
    what: `the image ${tag} was not built`,
    signal: options.signal,
  });
}
