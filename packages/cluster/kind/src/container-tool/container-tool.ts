import { join } from "node:path";
import { type KindOptions, prepareEngine } from "../prepare.ts";
import { runEngine } from "../run-kind.ts";

/**
 * Returns the path of a program for CONTAINER_TOOL of a Makefile, on kind. `build …` is the engine's own
 * build, with `--build-arg NAME` for each of NODE_IMAGE and HELM_IMAGE in the environment. `push IMAGE` loads
 * the image into the cluster instead (KIND_CLUSTER, default `kind`). Everything else is passed to the engine.
 * Exits as the engine does, or with 1 and `error: …`.
 */
export function containerToolPath(): string {
  return join(import.meta.dirname, "..", "..", "bin", "kind-container-tool");
}

/**
 * Base images that a Dockerfile takes as build arguments, so that a machine without a registry can provide
 * its own.
 */
const baseImageArguments = ["NODE_IMAGE", "HELM_IMAGE"] as const;

/** Returns `--build-arg NAME=value` for each base image in the environment. */
export function baseImageFlags(env: NodeJS.ProcessEnv): string[] {
  return baseImageArguments.flatMap((name) => (env[name] ? ["--build-arg", `${name}=${env[name]}`] : []));
}

/**
 * Builds the Dockerfile in a folder with the engine, with a tag. Throws KindError with the end of the build's
 * output.
 */
export async function buildImage(tag: string, context: string, options: KindOptions = {}): Promise<void> {
  const tools = await prepareEngine(options);
  await runEngine(tools, ["build", ...baseImageFlags(tools.env), "--tag", tag, context], {
    what: `the image ${tag} was not built`,
    signal: options.signal,
  });
}
