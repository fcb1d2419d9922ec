import { describeEngine, type EngineName, engines, explainFailure, infoArguments } from "@operator-path/kind";
import { executablesOnPath } from "@operator-path/tools";
import { ask } from "./ask.ts";
import { type EngineFacts, engineFacts } from "./engine-facts.ts";
import type { Machine } from "./machine.ts";

/** A container engine that is on the PATH. */
export interface EngineState extends EngineFacts {
  readonly name: EngineName;
  readonly path: string;
  /** silent: nobody listens. denied: somebody does, and not for this user. */
  readonly status: "ready" | "silent" | "denied" | "hung";
  /** Its own words, where it is not ready. */
  readonly complaint: string;
  /** The server's. */
  readonly version?: string;
  /** Of the machine on which containers run: on macOS that is a virtual one. */
  readonly cgroup?: 1 | 2;
}

/**
 * Each engine that is installed and that kind would take, in its order: the one that KIND_EXPERIMENTAL_PROVIDER names, or
 * all. They are asked, and understood, as by the scripts of kind.
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
  // docker's command line answers for itself when its daemon does not.
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
