import { existsSync } from "node:fs";
import { posix } from "node:path";
import type { Pod } from "@operator-path/client";
import type { LocalImage } from "../images/local/image-store.ts";
import type { ContainerSpec, EphemeralSpec } from "../pod/types.ts";
import type { ProcessContext } from "../runtime/contracts.ts";
import { ConfigError } from "../runtime/errors.ts";
import type { ProcessHost } from "./process-host.ts";

/**
 * Rejects what a process of this machine must not have: the host's namespaces, devices and privileges.
 * (hostPath and other volumes that need a disk are rejected for every Pod, when its volumes are created.)
 * @throws ConfigError whose message appears in the waiting state and in a Failed Event
 */
export function refuseHostAccess(pod: Pod, spec: ContainerSpec | EphemeralSpec): void {
  const { hostNetwork, hostPID, hostIPC } = pod.spec ?? {};
  const field = [
    hostNetwork && "hostNetwork",
    hostPID && "hostPID",
    hostIPC && "hostIPC",
    spec.securityContext?.privileged && "securityContext.privileged",
    spec.volumeDevices?.length && "volumeDevices",
    spec.volumeMounts?.some(({ mountPath }) => posix.resolve("/", mountPath) === "/") && "a volume at /",
  ].find(Boolean);
  if (field === undefined) return;
  throw new ConfigError(
    `${field} is refused: on an embedded cluster, a container of image ${spec.image} is a process of this machine and may not use it: remove it from the Pod`,
  );
}

/**
 * Checks that the project's node_modules, to which an image refers, exist.
 * @throws ConfigError when they are missing
 */
export function requireLinks(image: LocalImage): void {
  const missing = image.manifest.links.find(({ target }) => !existsSync(target));
  if (missing === undefined) return;
  throw new ConfigError(
    `${missing.path} of the image links to ${missing.target} of this machine, which is missing: install the project's packages again, or rebuild the image`,
  );
}

/**
 * Returns a container's environment: the variables of its specification, with the API server's real address.
 */
export function podEnvironment(
  { env }: Pick<ProcessContext, "env">,
  { apiServer }: Pick<ProcessHost, "apiServer">,
): Record<string, string> {
  if (!env.KUBERNETES_SERVICE_HOST) return { ...env };
  const { host, port } = apiServer;
  return { ...env, KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: String(port) };
}
