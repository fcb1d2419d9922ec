import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { containerToolPath, type Engine } from "@operator-path/kind";
import { findTool } from "@operator-path/tools";
import type { ClusterImages } from "../cluster.ts";
import { writePersonsTool } from "./persons-tool.ts";

/** For those who call the engine's client by name: how it reaches the engine. */
const passedOn = ["CONTAINER_HOST", "DOCKER_CERT_PATH", "DOCKER_CONTEXT", "DOCKER_HOST", "DOCKER_TLS_VERIFY"];

/**
 * Images of the engine, which a push loads into the nodes of the kind cluster `name`. Throws ToolNotFoundError without a kind.
 *
 * @param directory where the tool is written, as `container-tool`
 */
export async function kindImages(
  name: string,
  engine: Engine,
  directory: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<ClusterImages> {
  const kind = await findTool("kind", { env });
  const tool = join(directory, "container-tool");
  await writePersonsTool(tool, containerToolPath(), env, { KIND_CLUSTER: name });
  // Where the engine is, docker may know from its own configuration, which lies in a home that a page does not have.
  const dockerConfig = env.DOCKER_CONFIG ?? join(env.HOME ?? homedir(), ".docker");
  const given = passedOn.flatMap((key) => (env[key] === undefined ? [] : [[key, env[key]] as const]));
  return {
    tool,
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
