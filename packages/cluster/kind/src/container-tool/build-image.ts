import type { KindOptions } from "../options.ts";
import { prepareEngine } from "../prepare.ts";
import { runEngine } from "../run-kind.ts";

/** Base images that a Dockerfile takes as build arguments, so that a machine without a registry can bring its own. */
export const baseImageArguments = ["NODE_IMAGE", "HELM_IMAGE"] as const;

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
