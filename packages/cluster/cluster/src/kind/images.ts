import { existsSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { containerToolPath, type Engine } from "@operator-path/kind";
import { findTool, quote } from "@operator-path/tools";
import type { ClusterImages } from "../cluster.ts";
import { writePrivateFile } from "../private-file.ts";

/** Tells callers of the engine's own client how to reach the engine. */
const engineVariables = [
  "CONTAINER_HOST",
  "DOCKER_CERT_PATH",
  "DOCKER_CONTEXT",
  "DOCKER_HOST",
  "DOCKER_TLS_VERIFY",
];

/**
 * Returns the engine's images, which a push loads into the nodes of the kind cluster `name`. Throws
 * ToolNotFoundError without kind.
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
  await writeUserTool(tool, containerToolPath(), env, { KIND_CLUSTER: name });
  // docker may know its engine from its configuration, in a home directory that a page does not have.
  const dockerConfig = env.DOCKER_CONFIG ?? join(env.HOME ?? homedir(), ".docker");
  const given = engineVariables.flatMap((key) => (env[key] === undefined ? [] : [[key, env[key]] as const]));
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

/** Other variables that an engine and kind read: for the engine, the registries and builds. */
const inherited =
  /^(?:BUILDAH_.*|CONTAINER_HOST|CONTAINERD_.*|CONTAINERS_.*|DOCKER_.*|HELM_IMAGE|KIND_EXPERIMENTAL_.*|NODE_IMAGE|REGISTRY_AUTH_FILE|STORAGE_.*|XDG_.*|DBUS_SESSION_BUS_ADDRESS|(?:HTTPS?|NO|ALL)_PROXY|(?:https?|no|all)_proxy)$/;

/**
 * Writes a program that runs `tool` with the user's HOME, PATH and engine variables, in whatever environment
 * it is started. A rootless engine stores its images below HOME, and registry logins are programs on the
 * PATH.
 *
 * @param own additional variables
 */
export async function writeUserTool(
  path: string,
  tool: string,
  env: NodeJS.ProcessEnv,
  own: Readonly<Record<string, string>>,
): Promise<void> {
  const variables = {
    ...Object.fromEntries(Object.entries(env).filter(([name]) => inherited.test(name))),
    HOME: env.HOME ?? homedir(),
    // Our Node comes before the user's, which may be older.
    PATH: [dirname(process.execPath), env.PATH ?? ""].join(delimiter),
    ...own,
  };
  const words = Object.entries(variables).map(([name, value]) => quote(`${name}=${value}`));
  const script = `#!/bin/sh\nexec env ${words.join(" ")} ${quote(tool)} "$@"\n`;
  await writePrivateFile(path, script);
  await chmod(path, 0o700);
}
