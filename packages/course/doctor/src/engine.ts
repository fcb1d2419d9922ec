import { describeEngine, type EngineName, engines, explainFailure, infoArguments } from "@operator-path/kind";
import { executablesOnPath } from "@operator-path/tools";
import { ask } from "./ask.ts";
import { type EngineFacts, engineFacts } from "./engine-facts.ts";
import type { Machine } from "./machine.ts";

/** A container engine on the PATH. */
export interface EngineState extends EngineFacts {
  readonly name: EngineName;
  readonly path: string;
  /** silent: no server listens. denied: a server listens, but rejects this user. */
  readonly status: "ready" | "silent" | "denied" | "hung";
  /** The error of the engine, if it is not ready. */
  readonly complaint: string;
  /** Version of the server. */
  readonly version?: string;
  /** Version of cgroup on the machine that runs the containers. On macOS that is a virtual machine. */
  readonly cgroup?: 1 | 2;
}

/**
 * Finds the installed engines that kind would use, in kind's order: the one of KIND_EXPERIMENTAL_PROVIDER, or
 * all. Asks them, and reads their answers, as the scripts of kind do.
 */
export async function lookForEngines(machine: Machine): Promise<EngineState[]> {
  const asked = machine.env.KIND_EXPERIMENTAL_PROVIDER;
  const states = await Promise.all(
    engines
      .filter((name) => !asked || name === asked)
      .map(async (name) => {
        const [path] = await executablesOnPath(name, machine.env);
        return path === undefined ? [] : [await inspect(machine, name, path)];
      }),
  );
  return states.flat();
}

async function inspect(machine: Machine, name: EngineName, path: string): Promise<EngineState> {
  const { stdout, complaint, outcome } = await ask(
    machine,
    path,
    infoArguments[name],
    machine.enginePatience,
  );
  if (outcome === "hung") return { name, path, status: "hung", complaint };
  // The docker command prints its own version even if the daemon does not answer.
  const server = describeEngine(stdout);
  if (server === undefined) {
    const { problem } = explainFailure(complaint, { engine: name, env: machine.env });
    const status = problem === "engine-permission" ? "denied" : "silent";
    return { name, path, status, complaint: complaint || "its server does not answer" };
  }
  const { isPodman, ...described } = server;
  const engine = isPodman ? "podman" : name;
  return {
    name: engine,
    path,
    status: "ready",
    complaint: "",
    ...described,
    ...engineFacts(machine, engine, stdout),
  };
}
