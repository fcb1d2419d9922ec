import type { EphemeralContainer, Pod } from "@operator-path/client";
import type { Podbuggertool } from "./types.ts";

/** An environment variable in each container that we add. It names the tool. */
const owner = "PODBUGGERTOOL";

/** The container that gives `pod` this tool. */
export function toolContainer(tool: Podbuggertool, pod: Pod): EphemeralContainer {
  const containers = pod.spec?.containers ?? [];
  const all = [...containers, ...(pod.spec?.initContainers ?? []), ...ephemeralContainers(pod)];
  return {
    name: containerName(tool.spec.image, new Set(all.map((container) => container.name))),
    image: tool.spec.image,
    // Without an open stdin, a shell ends at once.
    stdin: true,
    tty: true,
    // The tool sees the processes of this container.
    targetContainerName: containers[0]?.name,
    // The Pod Security standard "restricted" requires this of every container.
    securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } },
    env: [{ name: owner, value: tool.metadata?.name }],
  };
}

/** Whether `pod` was given the container that `tool` asks for now. */
export function isServed(pod: Pod, tool: Podbuggertool): boolean {
  return currentContainer(pod, tool) !== undefined;
}

/** Whether that container runs. Its image may be unknown, or its shell may have ended. */
export function isInstalled(pod: Pod, tool: Podbuggertool): boolean {
  const name = currentContainer(pod, tool)?.name;
  const status = pod.status?.ephemeralContainerStatuses?.find((status) => status.name === name);
  return status?.state?.running !== undefined;
}

/** The names of all tools that ever added a container to `pod`. */
export function ownersIn(pod: Pod): string[] {
  return [...new Set(ephemeralContainers(pod).flatMap((container) => ownerOf(container) ?? []))];
}

/** The containers that the tool of this name ever added to `pod`. */
export function containersOf(toolName: string, pod: Pod): EphemeralContainer[] {
  return ephemeralContainers(pod).filter((container) => ownerOf(container) === toolName);
}

/** "registry:5000/team/busybox:1.36" → "ephemeral-busybox", or "ephemeral-busybox-2" where that is taken. */
export function containerName(image: string, taken: Set<string>): string {
  const repository = image.replace(/@.*$/, "").split("/").at(-1)?.replace(/:.*$/, "") ?? "";
  const word = repository
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 40)
    .replace(/^-+|-+$/g, "");
  const name = `ephemeral-${word || "tool"}`;
  for (let n = 1; ; n++) {
    const candidate = n === 1 ? name : `${name}-${n}`;
    if (!taken.has(candidate)) return candidate;
  }
}

function currentContainer(pod: Pod, tool: Podbuggertool): EphemeralContainer | undefined {
  const own = containersOf(tool.metadata?.name ?? "", pod);
  return own.find((container) => container.image === tool.spec.image);
}

function ownerOf(container: EphemeralContainer): string | undefined {
  return container.env?.find((variable) => variable.name === owner)?.value;
}

function ephemeralContainers(pod: Pod): EphemeralContainer[] {
  return pod.spec?.ephemeralContainers ?? [];
}
