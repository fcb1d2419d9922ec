import { KindError, type KindErrorParts } from "../errors/kind-error.ts";
import type { Prepared } from "../prepare.ts";
import type { RegistryOptions } from "../registry/registry-options.ts";
import { stopRegistry } from "../registry/start-registry.ts";
import { explainNodes } from "./node-words.ts";
import { undo } from "./undo.ts";

/**
 * Cleans up after a failed creation and returns the error to throw. Asks the nodes for the cause before it removes them.
 *
 * @param options.retain keeps the nodes; default false
 * @param ownRegistry whether this creation has started the registry
 */
export async function afterFailure(
  error: unknown,
  name: string,
  prepared: Prepared,
  { retain = false, registry }: { retain?: boolean | undefined; registry?: RegistryOptions | undefined },
  ownRegistry: boolean,
): Promise<unknown> {
  const vague = error instanceof KindError && ["timeout", "unknown"].includes(error.problem);
  const found = vague ? await explainNodes(prepared, name) : undefined;
  const told = error instanceof KindError && found ? new KindError({ ...parts(error), ...found }) : error;
  // Another process created a cluster of this name first. kind has made nothing here, and the cluster is not ours.
  const theirs =
    error instanceof KindError && /node\(s\) already exist for a cluster/.test(error.output ?? "");
  const left = retain || theirs ? undefined : await undo(prepared, name);
  if (ownRegistry)
    await stopRegistry({ ...registry, engine: prepared.engine, env: prepared.env }).catch(() => false);
  if (!(told instanceof KindError)) return told;
  if (told.problem === "aborted" && !retain)
    return new KindError({ ...parts(told), fix: left ?? "What it had made is removed." });
  return left === undefined ? told : new KindError({ ...parts(told), fix: `${told.fix}\n${left}` });
}

function parts({ problem, what, cause, fix, command, output, evidence }: KindError): KindErrorParts {
  return {
    ...{ problem, what, cause, fix },
    ...(command !== undefined && { command }),
    ...(output !== undefined && { output }),
    ...(evidence !== undefined && { evidence }),
  };
}
