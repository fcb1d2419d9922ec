import { clusterCommand, executablesOnPath } from "@operator-path/tools";
import { execa } from "execa";
import { explain } from "../errors/explain.ts";
import { aborted, KindError } from "../errors/kind-error.ts";
import type { Engine, EngineName } from "./engine.ts";
import { describe, infoArguments } from "./engine.ts";
import { hostOf } from "./reach-engine.ts";

export interface FindEngineOptions {
  /** Whose PATH, DOCKER_HOST and KIND_EXPERIMENTAL_PROVIDER count. Default: the process's. */
  readonly env?: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal;
  /** Milliseconds until an engine that says nothing counts as not running. Default: `enginePatience`. */
  readonly patience?: number;
}

/** In kind's own order (0.33, `DetectNodeProvider`). */
export const engines: readonly EngineName[] = ["docker", "nerdctl", "podman"];

/** Milliseconds: an engine that is waking up takes a few seconds. */
export const enginePatience = 10_000;

/**
 * The engine that KIND_EXPERIMENTAL_PROVIDER names, or the first of docker, nerdctl and podman that answers. Throws
 * KindError: `engine-missing` when none is on the PATH, otherwise why the first that is there does not answer
 * (`engine-not-running`, `engine-permission`). Where none is, or nobody listens, that takes a fraction of a second.
 */
export async function findEngine(options: FindEngineOptions = {}): Promise<Engine> {
  const { env = process.env, signal } = options;
  const named = env.KIND_EXPERIMENTAL_PROVIDER || undefined;
  const wanted = engines.find((name) => name === named);
  if (named !== undefined && wanted === undefined) throw unknownEngine(named);
  let first: KindError | undefined;
  for (const name of wanted === undefined ? engines : [wanted]) {
    const [path] = await executablesOnPath(name, env);
    if (path === undefined) continue;
    const answer = await ask(name, path, { ...options, env });
    if (signal?.aborted) throw aborted("the container engine was not looked for to the end");
    if (!(answer instanceof KindError)) return answer;
    first ??= answer;
  }
  throw first ?? noEngine(wanted);
}

async function ask(
  name: EngineName,
  path: string,
  { env = process.env, signal, patience = enginePatience }: FindEngineOptions,
): Promise<Engine | KindError> {
  const args = infoArguments[name];
  const result = await execa(path, args, {
    env,
    extendEnv: false,
    reject: false,
    timeout: patience,
    stdin: "ignore",
    ...(signal && { cancelSignal: signal }),
  });
  const said = describe(result.stdout);
  if (!result.failed && said) {
    // kind passes over a docker that is podman's, and takes podman.
    const { isPodman, ...server } = said;
    const engine = isPodman ? "podman" : name;
    const host = hostOf(engine, env);
    return { name: engine, path, ...server, ...(host && { host }) };
  }
  const host = hostOf(name, env);
  const command = `${name} info`;
  const what = "no container engine can be used";
  const at = host === undefined ? "" : ` at ${host}`;
  if (result.timedOut) {
    return new KindError({
      problem: "engine-not-running",
      what,
      cause: `${name}${at} has not answered for ${patience / 1000} s`,
      fix: explain("Is the docker daemon running?", { engine: name, env }).fix,
      command,
    });
  }
  const output = result.stderr || result.stdout || result.originalMessage || "";
  return new KindError({ ...explain(output, { engine: name, env }), what, command, output });
}

function noEngine(wanted: EngineName | undefined): KindError {
  return new KindError({
    problem: "engine-missing",
    what: "no container engine can be used",
    cause:
      wanted === undefined
        ? "there is no docker, podman or nerdctl on the PATH"
        : `KIND_EXPERIMENTAL_PROVIDER is ${wanted}, and there is none on the PATH`,
    fix:
      "kind runs its nodes as containers: install Docker (https://docs.docker.com/get-started/get-docker/) or Podman (https://podman.io/docs/installation),\n" +
      `or use the embedded cluster, which needs neither: \`${clusterCommand} up\`.`,
  });
}

/** kind would take it, or pass it over; then it and we would speak of different clusters. */
function unknownEngine(name: string): KindError {
  return new KindError({
    problem: "engine-missing",
    what: "no container engine can be used",
    cause: `KIND_EXPERIMENTAL_PROVIDER is ${name}, and that is none of ${engines.join(", ")}`,
    fix: "Name one of these, or unset it.",
  });
}
