import type { ProcessContext } from "../runtime/contracts.ts";
import type { ProcessHost } from "./process-host.ts";

/**
 * Returns a container's environment: the variables of its specification, and the address that the API server really
 * has.
 */
export function podEnvironment(
  { env }: Pick<ProcessContext, "env">,
  { apiServer }: Pick<ProcessHost, "apiServer">,
): Record<string, string> {
  if (!env.KUBERNETES_SERVICE_HOST) return { ...env };
  const { host, port } = apiServer;
  return { ...env, KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: String(port) };
}
