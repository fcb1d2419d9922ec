import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { CommandError } from "../command-error.ts";

/**
 * Finds the helm to run: the path or name in HELM, or else the first helm on the PATH.
 *
 * @returns an absolute path
 * @throws CommandError if no helm is found; it says how to install helm
 */
export function findHelm(env: Readonly<Record<string, string | undefined>>): string {
  const name = env.HELM || "helm";
  const isPath = /[\\/]/.test(name);
  const places = isPath ? [resolve(name)] : folders(env.PATH).map((folder) => join(folder, name));
  const found = places.find(isExecutable);
  if (found !== undefined) return found;
  const where = env.HELM
    ? `HELM=${JSON.stringify(env.HELM)} is not a program`
    : "there is no helm on the PATH";
  throw new CommandError(
    `${where}: install helm 4 (https://helm.sh/docs/intro/install), or set HELM to the path of one; nothing was written`,
  );
}

function folders(path = ""): string[] {
  return path.split(delimiter).filter((folder) => folder !== "");
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
