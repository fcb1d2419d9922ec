import * as kind from "@operator-path/kind/config";
import type { NodePlan } from "./node-plan.ts";
import { UserError } from "./user-error.ts";

/** The part of a kind-cluster.yaml that a simulated cluster follows. The same file works for kind. */
export interface KindConfig {
  readonly name?: string;
  /** Undefined if the file has no nodes. There is then one control-plane node. */
  readonly nodes?: readonly Omit<NodePlan, "name">[];
}

/**
 * Reads a kind-cluster.yaml.
 *
 * @throws UserError with the file, the line and the field
 */
export async function readKindConfig(path: string): Promise<KindConfig> {
  try {
    return simulated(await kind.readKindConfig(path));
  } catch (error) {
    throw asUserError(error);
  }
}

/** Parses the text of a kind-cluster.yaml. `path` is for messages. */
export function parseKindConfig(text: string, path: string): KindConfig {
  try {
    return simulated(kind.parseKindConfig(text, path));
  } catch (error) {
    throw asUserError(error);
  }
}

function simulated({ name, nodes }: kind.ReadKindConfig): KindConfig {
  return {
    ...(name !== undefined && { name }),
    ...(nodes && { nodes: nodes.map(({ role, labels }) => ({ role, ...(labels && { labels }) })) }),
  };
}

function asUserError(error: unknown): unknown {
  return error instanceof kind.KindError ? new UserError(`${error.what}: ${error.cause}`) : error;
}
