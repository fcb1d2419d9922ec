import { findTool, ToolNotFoundError } from "@operator-path/tools";
import type { Engine } from "./engine/engine.ts";
import { findEngine } from "./engine/find-engine.ts";
import { KindError } from "./errors/kind-error.ts";

/** An engine, a kind, and an environment in which both work with the same clusters. */
export interface Prepared {
  readonly engine: Engine;
  /** Absolute path. */
  readonly kind: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Only slow steps of the search are reported. A kind in the cache is not news. */
const takesTime = /building|waiting for process/;

/** Finds the engine first, because that is fast, and without an engine kind need not be built. */
export async function prepare(options: KindOptions): Promise<Prepared> {
  const { engine, env } = await prepareEngine(options);
  try {
    const { path } = await findTool("kind", {
      env,
      log: (line) => takesTime.test(line) && options.log?.(line),
    });
    return { engine, env, kind: path };
  } catch (error) {
    if (!(error instanceof ToolNotFoundError)) throw error;
    const [what = "", ...places] = error.message.split("\n");
    throw new KindError({
      problem: "kind-missing",
      what: what.replace(/:$/, ""),
      cause: `searched here\n${places.slice(0, -1).join("\n")}`,
      fix: places.at(-1) ?? "",
    });
  }
}

export async function prepareEngine(options: KindOptions): Promise<Omit<Prepared, "kind">> {
  const { env = process.env, signal } = options;
  const engine = options.engine ?? (await findEngine({ env, ...(signal && { signal }) }));
  // kind takes an installed docker, running or not, so another engine must be named.
  return {
    engine,
    env: engine.name === "docker" ? env : { ...env, KIND_EXPERIMENTAL_PROVIDER: engine.name },
  };
}

/** Options of all kind commands. */
export interface KindOptions {
  /** Default: the result of `findEngine`. */
  readonly engine?: Engine;
  /** Environment of kind and of the engine. Default: process.env. */
  readonly env?: NodeJS.ProcessEnv;
  /** Aborting it ends the command, and removes what it created. */
  readonly signal?: AbortSignal;
  /** Receives a line about slow preparations, such as building kind. Default: lines are dropped. */
  readonly log?: (line: string) => void;
}
