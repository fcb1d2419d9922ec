import { removeContainers } from "../containers.ts";
import { KindError } from "../errors/kind-error.ts";
import { removeOurNetwork } from "../network.ts";
import type { KindOptions } from "../options.ts";
import { ourLabel } from "../ours.ts";
import { prepareEngine } from "../prepare.ts";
import { runEngine } from "../run-kind.ts";
import { lookAt } from "./look-at.ts";
import { type RegistryOptions, withDefaults } from "./registry-options.ts";

export interface Registry {
  readonly name: string;
  readonly port: number;
  /** What images are tagged with on this machine: `localhost:5001`. */
  readonly host: string;
  /** False: it was there already. */
  readonly started: boolean;
}

/**
 * The pattern that kind documents (https://kind.sigs.k8s.io/docs/user/local-registry/): a registry in a container, on
 * loopback and on the network of the nodes. One that runs is used. It can be there before the first cluster.
 */
export async function startRegistry(options: RegistryOptions & KindOptions = {}): Promise<Registry> {
  const { name, port } = withDefaults(options);
  const tools = await prepareEngine(options);
  const image = options.image ?? (tools.env.KIND_REGISTRY_IMAGE || "docker.io/library/registry:3");
  const registry = { name, port, host: `localhost:${port}` };
  const words = { what: `the registry ${name} was not started`, signal: options.signal };
  const there = await lookAt(tools, name, words);
  if (there) {
    if (!there.ports.includes(port)) throw otherPort(name, port);
    if (!there.running) await runEngine(tools, ["start", name], words);
    return { ...registry, started: false };
  }
  const publish = `127.0.0.1:${port}:5000`;
  const flags = ["--restart", "always", "--publish", publish, "--label", `${ourLabel}=registry`];
  try {
    await runEngine(tools, ["run", "--detach", ...flags, "--name", name, image], words);
  } catch (error) {
    // A port that is taken leaves a container that was never started. Whoever else has the name by now keeps it.
    const left = await lookAt(tools, name, { what: words.what }).catch(() => undefined);
    if (left?.ours && !left.running) await removeContainers(tools, [name]).catch(() => undefined);
    throw error;
  }
  return { ...registry, started: true };
}

/**
 * Removes a registry that `startRegistry` has made, with what it holds, and kind's network when that is ours and this was its
 * last use. False: there was none, or it is somebody else's.
 */
export async function stopRegistry(options: { readonly name?: string } & KindOptions = {}): Promise<boolean> {
  const { name } = withDefaults(options);
  const tools = await prepareEngine(options);
  const words = { what: `the registry ${name} was not stopped`, signal: options.signal };
  const ours = (await lookAt(tools, name, words))?.ours === true;
  if (ours) await removeContainers(tools, [name], options.signal);
  await removeOurNetwork(tools, options.signal);
  return ours;
}

function otherPort(name: string, port: number): KindError {
  return new KindError({
    problem: "name-exists",
    what: `the registry ${name} was not started`,
    cause: `there is a container ${name} already, which is not at port ${port}`,
    fix: "Name its port, or another name.",
  });
}
