import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type Client,
  type CustomResourceDefinition,
  customResourceDefinitions,
  isNotFound,
  type KubeObject,
} from "@operator-path/client";
import { parseAllDocuments } from "yaml";
import { UserError } from "../user-error.ts";

export interface FoundObject<T> {
  readonly object: T;
  /** For errors: the file, or the position in the list. */
  readonly from: string;
}

interface Wanted<T extends KubeObject> {
  /** The option's name, for errors. */
  readonly option: string;
  /** "CustomResourceDefinition", for errors. */
  readonly noun: string;
  isWanted(object: unknown): object is T;
}

/**
 * Returns the given objects, and those in the given files and folders (without subfolders): YAML or JSON,
 * with any number of documents per file. Skips other kinds, because a project's folder may contain them.
 *
 * @throws UserError with the file that cannot be read, or has no such object
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

export type FoundCrd = FoundObject<CustomResourceDefinition>;

/**
 * Go: envtest's CRDInstallOptions.
 *
 * @throws UserError with the file that cannot be read, or has no CRD
 */
export function readCrds(given: readonly (CustomResourceDefinition | string)[]): Promise<FoundCrd[]> {
  return readManifests<CustomResourceDefinition>(given, {
    ...{ option: "crds", noun: "CustomResourceDefinition" },
    isWanted: (object): object is CustomResourceDefinition => kindOf(object) === "CustomResourceDefinition",
  });
}

const patience = 60_000;

/**
 * Creates the CRDs, and resolves when all their served versions are available.
 *
 * @throws Error with the CRD's origin and the API server's message
 */
export async function installCrds(client: Client, found: readonly FoundCrd[]): Promise<void> {
  await Promise.all(
    found.map(async ({ object: crd, from }) => {
      try {
        await client.resource(customResourceDefinitions).create(crd);
        await untilServed(client, crd);
      } catch (error) {
        throw new Error(`${from}: ${error instanceof Error ? error.message : error}`, { cause: error });
      }
    }),
  );
}

/** A real API server takes a moment. Discovery shows when it is done. */
async function untilServed(client: Client, { spec }: FoundCrd["object"]): Promise<void> {
  const giveUpAt = performance.now() + patience;
  for (const { name } of spec.versions.filter(({ served }) => served)) {
    while (!(await isServed(client, `/apis/${spec.group}/${name}`, spec.names.plural))) {
      if (performance.now() > giveUpAt) {
        throw new Error(
          `${spec.names.plural}.${spec.group}/${name} is not served after ${patience / 1000} s`,
        );
      }
      await sleep(25);
    }
  }
}

async function isServed(client: Client, path: string, plural: string): Promise<boolean> {
  try {
    const { body } = await client.request({ method: "GET", path });
    const { resources } = JSON.parse(Buffer.from(body).toString()) as { resources: { name: string }[] };
    return resources.some(({ name }) => name === plural);
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}
