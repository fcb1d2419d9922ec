import { removeContainers, removeUnusedNetwork } from "../containers.ts";
import { KindError } from "../errors/kind-error.ts";
import type { KindOptions } from "../options.ts";
import { prepareEngine } from "../prepare.ts";
import { runEngine } from "../run-kind.ts";
import { runProgram } from "../run-program.ts";
import { type RegistryOptions, withDefaults } from "./registry-options.ts";

export interface Registry {
  readonly name: string;
  readonly port: number;
  /** What images are tagged with on this machine: `localhost:5001`. */
  readonly host: string;
  /** False: it ran already. */
  readonly started: boolean;
}

/**
 * The pattern that kind documents (https://kind.sigs.k8s.io/docs/user/local-registry/): a registry in a container, on
 * loopback and on the network of the nodes. One that runs is used. It can be there before the first cluster.
 */
export async function startRegistry(options: RegistryOptions & KindOptions = {}): Promise<Registry> {
  const { name, port } = withDefaults(options);
  const tools = await prepareEngine(options);
  const image = options.image ?? (tools.env.KIND_REGISTRY_IMAGE || "registry:3");
  const registry = { name, port, host: `localhost:${port}` };
  const words = { what: `the registry ${name} was not started`, signal: options.signal };
  const state = await runProgram(
    tools.engine.path,
    ["inspect", "--format", "{{.State.Running}} {{json .HostConfig.PortBindings}}", name],
    {
      env: tools.env,
    },
  );
  if (!state.failed) {
    const [running = "", bindings = ""] = state.stdout.trim().split(" ");
    if (!bindings.includes(`"${port}"`)) throw otherPort(name, port);
    if (running === "true") return { ...registry, started: false };
    await runEngine(tools, ["start", name], words);
    return { ...registry, started: true };
  }
  try {
    const publish = `127.0.0.1:${port}:5000`;
    await runEngine(
      tools,
      ["run", "--detach", "--restart", "always", "--publish", publish, "--name", name, image],
      words,
    );
  } catch (error) {
    // A port that is taken leaves a container that was never started.
    await removeContainers(tools, [name]).catch(() => undefined);
    throw error;
  }
  return { ...registry, started: true };
}

/** Removes the registry with what it holds, and kind's network when that was its last use. False: there was none. */
export async function stopRegistry(options: { readonly name?: string } & KindOptions = {}): Promise<boolean> {
  const { name } = withDefaults(options);
  const tools = await prepareEngine(options);
  const there = await runProgram(tools.engine.path, ["inspect", "--format", "{{.Id}}", name], {
    env: tools.env,
  });
  if (!there.failed) await removeContainers(tools, [name]);
  await removeUnusedNetwork(tools);
  return !there.failed;
}

function otherPort(name: string, port: number): KindError {
  return new KindError({
    problem: "name-exists",
    what: `the registry ${name} was not started`,
    cause: `there is a container ${name} already, which is not at port ${port}`,
    fix: "Name its port, or another name.",
  });
}
