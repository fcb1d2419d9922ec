import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { KubeObject } from "@operator-path/client";
import { parseAllDocuments } from "yaml";
import { UserError } from "../user-error.ts";

export interface FoundObject<T> {
  readonly object: T;
  /** For errors: the file, or the place in the list. */
  readonly from: string;
}

export interface Wanted<T extends KubeObject> {
  /** The option's name, for errors. */
  readonly option: string;
  /** "CustomResourceDefinition", for errors. */
  readonly noun: string;
  isWanted(object: unknown): object is T;
}

/**
 * The objects that are given, and those in the files and folders (not below them) that are named: YAML or JSON, several
 * documents a file. Other kinds among them are passed over, as a folder of a project may hold them.
 *
 * @throws UserError naming the file that cannot be read, or has none
 */
export async function readManifests<T extends KubeObject>(
  given: readonly (T | string)[],
  wanted: Wanted<T>,
): Promise<FoundObject<T>[]> {
  const { option } = wanted;
  const found = await Promise.all(
    given.map(async (each, index) =>
      typeof each === "string" ? readPath(each, wanted) : [{ object: each, from: `${option}[${index}]` }],
    ),
  );
  return found.flat();
}

async function readPath<T extends KubeObject>(path: string, wanted: Wanted<T>): Promise<FoundObject<T>[]> {
  const { option, noun } = wanted;
  const files = await filesOf(path).catch((error: NodeJS.ErrnoException) => {
    throw new UserError(
      `${option}: ${path}: ${error.code === "ENOENT" ? "no such file or folder" : error.message}`,
    );
  });
  const found = (await Promise.all(files.map((file) => readObjects(file, wanted)))).flat();
  if (found.length === 0) throw new UserError(`${option}: ${path} has no ${noun}`);
  return found;
}

async function filesOf(path: string): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [path];
  const names = (await readdir(path)).filter((name) => /\.(ya?ml|json)$/.test(name));
  return names.sort().map((name) => join(path, name));
}

async function readObjects<T extends KubeObject>(
  file: string,
  { option, isWanted }: Wanted<T>,
): Promise<FoundObject<T>[]> {
  return parseAllDocuments(await readFile(file, "utf8")).flatMap((document) => {
    const [error] = document.errors;
    if (error) throw new UserError(`${option}: ${file}: ${error.message}`);
    const object: unknown = document.toJS({ maxAliasCount: 100 });
    return isWanted(object) ? [{ object, from: file }] : [];
  });
}

/** For `isWanted`. */
export function kindOf(object: unknown): unknown {
  return (object as { kind?: unknown } | null)?.kind;
}
