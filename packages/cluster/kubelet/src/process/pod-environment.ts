import type { ProcessContext } from "../runtime/program.ts";
import type { ProcessHost } from "./process-host.ts";

/** What a container sees of the environment is what its specification says, and where the API server really listens. */
export function podEnvironment(
  { env }: Pick<ProcessContext, "env">,
  { apiServer }: Pick<ProcessHost, "apiServer">,
): Record<string, string> {
  if (!env.KUBERNETES_SERVICE_HOST) return { ...env };
  const { host, port } = apiServer;
  return { ...env, KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: String(port) };
}
