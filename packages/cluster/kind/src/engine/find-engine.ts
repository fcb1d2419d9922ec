import { clusterCommand, executablesOnPath } from "@operator-path/tools";
import { execa } from "execa";
import { explain } from "../errors/explain.ts";
import { aborted, KindError } from "../errors/kind-error.ts";
import type { Engine, EngineName } from "./engine.ts";
import { describe, infoArguments } from "./engine.ts";
import { hostOf } from "./reach-engine.ts";

export interface FindEngineOptions {
  /** Provides PATH, DOCKER_HOST and KIND_EXPERIMENTAL_PROVIDER. Default: process.env. */
  readonly env?: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal;
  /** Milliseconds until a silent engine counts as not running. Default: `enginePatience`. */
  readonly patience?: number;
}

/** In kind's own order (0.33, `DetectNodeProvider`). */
export const engines: readonly EngineName[] = ["docker", "nerdctl", "podman"];

/** In milliseconds. A starting engine needs a few seconds. */
export const enginePatience = 10_000;

/**
 * Returns the engine that KIND_EXPERIMENTAL_PROVIDER names, or the first of docker, nerdctl and podman that
 * answers. Without an engine that listens, it throws within a fraction of a second.
 *
 * @throws KindError: `engine-missing` if none is on the PATH, otherwise why the first one does not answer
 * (`engine-not-running`, `engine-permission`)
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
    if (signal?.aborted) throw aborted("the search for a container engine was not finished");
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
    // kind skips a docker that is podman, and takes podman.
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
      cause: `${name}${at} did not answer within ${patience / 1000} s`,
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
        : `KIND_EXPERIMENTAL_PROVIDER is ${wanted}, but it is not on the PATH`,
    fix:
      "kind runs its nodes as containers: install Docker (https://docs.docker.com/get-started/get-docker/) or Podman (https://podman.io/docs/installation),\n" +
      `or use the embedded cluster, which needs neither: \`${clusterCommand} up\`.`,
  });
}

/** kind would accept it or skip it, and then work with other clusters than we do. */
function unknownEngine(name: string): KindError {
  return new KindError({
    problem: "engine-missing",
    what: "no container engine can be used",
    cause: `KIND_EXPERIMENTAL_PROVIDER is ${name} (expected one of ${engines.join(", ")})`,
    fix: "Use one of these, or unset it.",
  });
}
