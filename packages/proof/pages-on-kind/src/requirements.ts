import type { Engine } from "@operator-path/kind";
import { findEngine, KindError } from "@operator-path/kind";
import { kindNodeImage } from "@operator-path/tools";
import { execa } from "execa";

/** What the proof begins with. */
export interface Means {
  readonly engine: Engine;
  /** The nodes' image: KIND_NODE_IMAGE, or the house's. */
  readonly nodeImage: string;
  /** Whether images can be pulled; where not, they are made here. */
  readonly registry: boolean;
}

export interface WhetherOptions {
  /** Default: the process's. */
  readonly env?: NodeJS.ProcessEnv;
  /** Whether images can be pulled. Default: Docker Hub is asked, for five seconds at the most. */
  readonly reachesRegistry?: () => Promise<boolean>;
}

/** Whether a cluster can be had here; if not, why, in a sentence. */
export async function whether(o: WhetherOptions = {}): Promise<Means | { readonly not: string }> {
  const { env = process.env, reachesRegistry = reachesDockerHub } = o;
  let engine: Engine;
  try {
    engine = await findEngine({ env });
  } catch (error) {
    if (error instanceof KindError) return { not: error.cause };
    throw error;
  }
  const nodeImage = env.KIND_NODE_IMAGE || kindNodeImage;
  const registry = await reachesRegistry();
  const { exitCode } = await execa(engine.path, ["image", "inspect", nodeImage], { env, reject: false });
  if (exitCode !== 0 && !registry)
    return {
      not: `the engine has no node image ${nodeImage}, and no registry is reached: KIND_NODE_IMAGE names another`,
    };
  return { engine, nodeImage, registry };
}

/** Any answer will do: without a login it is 401. */
async function reachesDockerHub(): Promise<boolean> {
  try {
    await fetch("https://registry-1.docker.io/v2/", { signal: AbortSignal.timeout(5000) });
    return true;
  } catch {
    return false;
  }
}
