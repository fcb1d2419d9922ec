/** Base images that a Dockerfile takes as build arguments, so that a machine without a registry can bring its own. */
export const baseImageArguments = ["NODE_IMAGE", "HELM_IMAGE"] as const;

/** `--build-arg NAME=value` for each base image that the environment names. */
export function baseImageFlags(env: NodeJS.ProcessEnv): string[] {
  return baseImageArguments.flatMap((name) => (env[name] ? ["--build-arg", `${name}=${env[name]}`] : []));
}
