import { containersWith } from "./containers.ts";
import { forget, isOurs, noteAsOurs } from "./ours.ts";
import type { Prepared } from "./prepare.ts";
import { runEngine } from "./run-kind.ts";

type Tools = Omit<Prepared, "kind">;

/** The network of all kind clusters of an engine; kind lets the environment name another one. */
export function networkName({ engine, env }: Tools): string {
  const named =
    engine.name === "podman" ? env.KIND_EXPERIMENTAL_PODMAN_NETWORK : env.KIND_EXPERIMENTAL_DOCKER_NETWORK;
  return (engine.name === "nerdctl" ? undefined : named) || "kind";
}

/** Its id, or undefined when it is not there. Throws KindError when the engine does not answer. */
export async function networkId(tools: Tools, signal?: AbortSignal): Promise<string | undefined> {
  const args = ["network", "ls", "--no-trunc", "--format", "{{.ID}} {{.Name}}"];
  const what = "the engine's networks could not be listed";
  const { stdout } = await runEngine(tools, args, { what, signal });
  const lines = stdout.split("\n").map((line) => line.trim().split(/\s+/));
  return lines.find(([, name]) => name === networkName(tools))?.[0];
}

/** Notes that the network is ours to remove, if it was not there before. */
export async function noteNetwork(tools: Tools, before: string | undefined): Promise<void> {
  const now = await networkId(tools);
  if (before === undefined && now !== undefined) await noteAsOurs("network", now, tools.env);
}

/**
 * Removes the network when it is ours and no container, running or not, is on it. Somebody else may just begin to use it:
 * then the engine refuses, and it stays.
 */
export async function removeOurNetwork(tools: Tools, signal?: AbortSignal): Promise<void> {
  const id = await networkId(tools, signal);
  if (id === undefined || !isOurs("network", id, tools.env)) return;
  const name = networkName(tools);
  if ((await containersWith(tools, `network=${name}`, signal)).length > 0) return;
  const what = `the network ${name} was not removed`;
  const removed = await runEngine(tools, ["network", "rm", name], { what, signal }).catch(() => undefined);
  if (removed) await forget("network", id, tools.env);
}
