import type { Engine } from "@operator-path/kind";
import { findEngine, KindError } from "@operator-path/kind";
import { kindNodeImage } from "@operator-path/tools";
import { execa } from "execa";

/** What the proof needs. */
export interface Requirements {
  readonly engine: Engine;
  /** The nodes' image: KIND_NODE_IMAGE, or the default of `@operator-path/kind`. */
  readonly nodeImage: string;
  /** Whether images can be pulled. Otherwise the proof builds them. */
  readonly registry: boolean;
}

export interface RequirementOptions {
  /** Default: the process's. */
  readonly env?: NodeJS.ProcessEnv;
  /** Whether images can be pulled. Default: tries Docker Hub for at most five seconds. */
  readonly reachesRegistry?: () => Promise<boolean>;
}

/** Checks whether this machine can run a cluster. Resolves to the requirements, or to the problem in one sentence. */
export async function checkRequirements(
  options: RequirementOptions = {},
): Promise<Requirements | { readonly problem: string }> {
  const { env = process.env, reachesRegistry = reachesDockerHub } = options;
  let engine: Engine;
  try {
    engine = await findEngine({ env });
  } catch (error) {
    if (error instanceof KindError) return { problem: error.cause };
    throw error;
  }
  const nodeImage = env.KIND_NODE_IMAGE || kindNodeImage;
  const registry = await reachesRegistry();
  const { exitCode } = await execa(engine.path, ["image", "inspect", nodeImage], { env, reject: false });
  if (exitCode !== 0 && !registry)
    return {
      problem: `the node image ${nodeImage} is missing and no registry is reachable (set KIND_NODE_IMAGE to another image)`,
    };
  return { engine, nodeImage, registry };
}

/** Any answer counts: without a login it is 401. */
async function reachesDockerHub(): Promise<boolean> {
  try {
    await fetch("https://registry-1.docker.io/v2/", { signal: AbortSignal.timeout(5000) });
    return true;
  } catch {
    return false;
  }
}
