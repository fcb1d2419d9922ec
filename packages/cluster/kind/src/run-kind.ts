import { explain } from "./errors/explain.ts";
import { aborted, KindError } from "./errors/kind-error.ts";
import type { Prepared } from "./prepare.ts";
import { type RunResult, runProgram } from "./run-program.ts";

export interface RunWords {
  /** What came to nothing when it fails: `cluster dev was not created`. */
  readonly what: string;
  readonly cluster?: string;
  readonly signal?: AbortSignal | undefined;
  readonly input?: string | Uint8Array;
  readonly onLine?: (line: string) => void;
}

/** Runs kind, and gives what it wrote. Throws KindError: what its words mean, or `aborted`. */
export async function runKind(prepared: Prepared, args: readonly string[], o: RunWords): Promise<RunResult> {
  return orThrow(await runProgram(prepared.kind, args, { ...o, env: prepared.env }), prepared, o);
}

/** The same for the engine's own commands. */
export async function runEngine(
  prepared: Omit<Prepared, "kind">,
  args: readonly string[],
  o: RunWords,
): Promise<RunResult> {
  return orThrow(await runProgram(prepared.engine.path, args, { ...o, env: prepared.env }), prepared, o);
}

/** What a command has said, unless it has failed: then it throws what its words mean. */
export function orThrow(result: RunResult, { engine, env }: Omit<Prepared, "kind">, o: RunWords): RunResult {
  if (o.signal?.aborted) throw aborted(o.what);
  if (!result.failed) return result;
  const output = `${result.stderr}\n${result.stdout}`.trim();
  const context = { engine: engine.name, env, ...(o.cluster !== undefined && { cluster: o.cluster }) };
  throw new KindError({
    ...explain(output, context),
    what: o.what,
    command: result.command,
    output: output.split("\n").slice(-20).join("\n"),
  });
}
