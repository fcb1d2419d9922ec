import type { CreateClusterOptions } from "../create-cluster.ts";
import { KindError, type KindErrorParts } from "../errors/kind-error.ts";
import type { Prepared } from "../prepare.ts";
import { stopRegistry } from "../registry/start-registry.ts";
import { explainNodes } from "./node-words.ts";
import { undo } from "./undo.ts";

/**
 * What is told of a creation that came to nothing, once its nodes have said why and what was made is removed.
 *
 * @param ownRegistry whether this creation has started the registry
 */
export async function afterFailure(
  error: unknown,
  name: string,
  prepared: Prepared,
  { retain = false, registry }: CreateClusterOptions,
  ownRegistry: boolean,
): Promise<unknown> {
  const vague = error instanceof KindError && ["timeout", "unknown"].includes(error.problem);
  const found = vague ? await explainNodes(prepared, name) : undefined;
  const told = error instanceof KindError && found ? new KindError({ ...parts(error), ...found }) : error;
  // Somebody else was quicker with the same name: kind has made nothing, and the cluster is theirs.
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
