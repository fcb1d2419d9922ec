import { chmod } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, dirname } from "node:path";
import { quote } from "@operator-path/tools";
import { writePrivateFile } from "../private-file.ts";

/** What an engine and kind look at besides: where the engine is, what is between here and a registry, what builds are told. */
const passedOn =
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
    ...Object.fromEntries(Object.entries(env).filter(([name]) => passedOn.test(name))),
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
