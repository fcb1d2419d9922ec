import { findTool, ToolNotFoundError } from "@operator-path/tools";
import type { Engine } from "./engine/engine.ts";
import { findEngine } from "./engine/find-engine.ts";
import { KindError } from "./errors/kind-error.ts";

/** An engine, a kind, and the environment in which both mean the same clusters. */
export interface Prepared {
  readonly engine: Engine;
  /** Absolute path. */
  readonly kind: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Of what is said of a search: a kind that is in the cache is nothing to tell of, at each command anew. */
const takesTime = /building|waiting for process/;

/** Finds the engine first: that takes no time, and without one no kind is needed, let alone built. */
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
      cause: `looked for it here\n${places.slice(0, -1).join("\n")}`,
      fix: places.at(-1) ?? "",
    });
  }
}

export async function prepareEngine(options: KindOptions): Promise<Omit<Prepared, "kind">> {
  const { env = process.env, signal } = options;
  const engine = options.engine ?? (await findEngine({ env, ...(signal && { signal }) }));
  // kind takes docker when it is installed, running or not.
  return {
    engine,
    env: engine.name === "docker" ? env : { ...env, KIND_EXPERIMENTAL_PROVIDER: engine.name },
  };
}

/** What every command of kind takes. */
export interface KindOptions {
  /** Default: the one that `findEngine` finds. */
  readonly engine?: Engine;
  /** Environment of kind and of the engine. Default: the process's. */
  readonly env?: NodeJS.ProcessEnv;
  /** Aborted: the command is ended, and what it made is removed. */
  readonly signal?: AbortSignal;
  /** Told what takes time before kind can run: it is being built, say. Default: nobody. */
  readonly log?: (line: string) => void;
}
