import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { containerToolPath, type Engine } from "@operator-path/kind";
import { findTool } from "@operator-path/tools";
import type { ClusterImages } from "../cluster.ts";

/** What reaches an engine, chooses one, and what builds with it are told. */
const passedOn = [
  "CONTAINER_HOST",
  "DOCKER_BUILDKIT",
  "DOCKER_CERT_PATH",
  "DOCKER_CONFIG",
  "DOCKER_CONTEXT",
  "DOCKER_HOST",
  "DOCKER_TLS_VERIFY",
  "HELM_IMAGE",
  "KIND_EXPERIMENTAL_PROVIDER",
  "NODE_IMAGE",
  "XDG_RUNTIME_DIR",
];

/** Images of the engine, which a push loads into the nodes of the kind cluster `name`. Throws ToolNotFoundError without a kind. */
export async function kindImages(
  name: string,
  engine: Engine,
  env: NodeJS.ProcessEnv = process.env,
): Promise<ClusterImages> {
  const kind = await findTool("kind", { env });
  // Where the engine is, docker may know from its own configuration, which lies in a home that a page does not have.
  const dockerConfig = join(env.HOME ?? homedir(), ".docker");
  const given = passedOn.flatMap((key) => (env[key] === undefined ? [] : [[key, env[key]] as const]));
  return {
    tool: containerToolPath(),
    env: {
      ...(existsSync(dockerConfig) && { DOCKER_CONFIG: dockerConfig }),
      ...Object.fromEntries(given),
      KIND_CLUSTER: name,
    },
    programs: new Map([
      [engine.name, engine.path],
      ["kind", kind.path],
    ]),
    containers: true,
  };
}
