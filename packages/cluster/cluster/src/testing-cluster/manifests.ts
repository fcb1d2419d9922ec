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
  /** For errors: the file, or the place in the list. */
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

export type FoundCrd = FoundObject<CustomResourceDefinition>;

/** Go: envtest's CRDInstallOptions. @throws UserError naming the file that cannot be read, or has none */
export function readCrds(given: readonly (CustomResourceDefinition | string)[]): Promise<FoundCrd[]> {
  return readManifests<CustomResourceDefinition>(given, {
    ...{ option: "crds", noun: "CustomResourceDefinition" },
    isWanted: (object): object is CustomResourceDefinition => kindOf(object) === "CustomResourceDefinition",
  });
}

const patience = 10_000;

/**
 * Creates them, and resolves when every version that is to be served is.
 *
 * @throws Error naming where the definition came from, and what the API server has to say
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

/** A real API server needs a moment for it; discovery tells. */
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
