import type { Engine } from "./engine/engine.ts";

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
