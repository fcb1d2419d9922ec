import { existsSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { containerToolPath, type Engine } from "@operator-path/kind";
import { findTool, quote } from "@operator-path/tools";
import type { ClusterImages } from "../cluster.ts";
import { writePrivateFile } from "../private-file.ts";

/** For those who call the engine's client by name: how it reaches the engine. */
const engineVariables = [
  "CONTAINER_HOST",
  "DOCKER_CERT_PATH",
  "DOCKER_CONTEXT",
  "DOCKER_HOST",
  "DOCKER_TLS_VERIFY",
];

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

/** What an engine and kind look at besides: where the engine is, what is between here and a registry, what builds are told. */
const inherited =
  /^(?:BUILDAH_.*|CONTAINER_HOST|CONTAINERD_.*|CONTAINERS_.*|DOCKER_.*|HELM_IMAGE|KIND_EXPERIMENTAL_.*|NODE_IMAGE|REGISTRY_AUTH_FILE|STORAGE_.*|XDG_.*|DBUS_SESSION_BUS_ADDRESS|(?:HTTPS?|NO|ALL)_PROXY|(?:https?|no|all)_proxy)$/;

/**
 * Writes a program that is `tool` with the home, the PATH and the engine's variables of the person, whatever environment it
 * is started in: a rootless engine has its images below HOME, and logins of registries are programs on the PATH.
 *
 * @param own set besides
 */
export async function writePersonsTool(
  path: string,
  tool: string,
  env: NodeJS.ProcessEnv,
  own: Readonly<Record<string, string>>,
): Promise<void> {
  const variables = {
    ...Object.fromEntries(Object.entries(env).filter(([name]) => inherited.test(name))),
    HOME: env.HOME ?? homedir(),
    // The Node that runs us before one of the person's, which may be older.
    PATH: [dirname(process.execPath), env.PATH ?? ""].join(delimiter),
    ...own,
  };
  const words = Object.entries(variables).map(([name, value]) => quote(`${name}=${value}`));
  const script = `#!/bin/sh\nexec env ${words.join(" ")} ${quote(tool)} "$@"\n`;
  await writePrivateFile(path, script);
  await chmod(path, 0o700);
}
