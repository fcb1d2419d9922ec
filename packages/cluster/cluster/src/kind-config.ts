import * as kind from "@operator-path/kind/config";
import type { NodePlan } from "./node-plan.ts";
import { UserError } from "./user-error.ts";

/** What a simulated cluster follows of a kind-cluster.yaml; the rest is kind's own business. The same file serves both. */
export interface KindConfig {
  readonly name?: string;
  /** Absent when the file leaves it to kind: then there is one control-plane node. */
  readonly nodes?: readonly Omit<NodePlan, "name">[];
}

/** Reads a kind-cluster.yaml. Throws UserError naming the file, the line and the field. */
export async function readKindConfig(path: string): Promise<KindConfig> {
  try {
    return simulated(await kind.readKindConfig(path));
  } catch (error) {
    throw asUserError(error);
  }
}

/** The same for text that is already there; `path` is for messages. */
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
