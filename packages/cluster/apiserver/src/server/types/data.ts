import { brotliDecompressSync } from "node:zlib";
import { createSchemaResolver, type RawSchema, type Schema } from "../../apimachinery/schema/schema.ts";
import { blobs } from "../../generated/kubernetes.ts";
import type { JsonObject } from "../../lib/json/json.ts";
import type { ColumnDefinition } from "./resource-type.ts";

/** One entry of a meta/v1 APIResourceList: a resource (`pods`) or a subresource (`pods/log`). */
export interface DiscoveredResource {
  name: string;
  singularName: string;
  namespaced: boolean;
  kind: string;
  /** Set only if they differ from those of the list, as for `pods/eviction` (policy/v1). */
  group?: string;
  version?: string;
  verbs: string[];
  shortNames?: string[];
  categories?: string[];
  storageVersionHash?: string;
}

/** A built-in group. The core group has the name "". Versions are in order of preference. */
export interface DiscoveredGroup {
  name: string;
  versions: { version: string; resources: DiscoveredResource[] }[];
}

interface GroupVersionKind {
  group: string;
  version: string;
  kind: string;
}

/** The paths of a group-version's OpenAPI v3 document, and the definitions that it contains. */
interface DocumentData {
  info: JsonObject;
  paths: Record<string, JsonObject>;
  securitySchemes: JsonObject;
  definitions: string[];
  /** x-kubernetes-group-version-kind by definition. */
  kinds: Record<string, GroupVersionKind[]>;
}

// Each of these functions decompresses and parses again, without a cache: callers keep what they need.

export function readDiscovery(): DiscoveredGroup[] {
  return read<DiscoveredGroup[]>("discovery") ?? [];
}

/** Returns definition names by `group/version`, then by kind. */
export function readKinds(): Record<string, Record<string, string>> {
  return read<Record<string, Record<string, string>>>("kinds") ?? {};
}

/** Returns columns by `group/version/plural`. */
export function readColumns(): Record<string, ColumnDefinition[]> {
  return read<Record<string, ColumnDefinition[]>>("columns") ?? {};
}

/** Returns deprecation warnings by `group/version/plural`. */
export function readWarnings(): Record<string, string> {
  return read<Record<string, string>>("warnings") ?? {};
}

/**
 * Returns definitions of a Go package (`io.k8s.api.core.v1`) by their full names, with references unresolved.
 */
function readDefinitions(packageName: string): Record<string, RawSchema> | undefined {
  return read<Record<string, RawSchema>>(`definitions/${packageName}`);
}

/** Returns a document. @param path `api/v1` or `apis/<group>/<version>` */
export function readDocument(path: string): DocumentData | undefined {
  return read<DocumentData>(`document/${path}`);
}

function read<T>(name: string): T | undefined {
  if (!Object.hasOwn(blobs, name)) return undefined;
  const blob = blobs[name] ?? "";
  return JSON.parse(brotliDecompressSync(Buffer.from(blob, "base64")).toString("utf8")) as T;
}

/** Kubernetes' definitions by full name (`io.k8s.api.core.v1.Pod`). Each package is read at its first use. */
export interface Definitions {
  /** Returns a definition as in the OpenAPI documents. */
  raw(name: string): RawSchema | undefined;
  /** Returns a definition with its references resolved. */
  schema(name: string): Schema | undefined;
}

let shared: Definitions | undefined;

/**
 * Returns the definitions. All servers of a process share them, because resolving them takes half of the CPU
 * time of a server's start. Callers must not change them.
 */
export function kubernetesDefinitions(): Definitions {
  shared ??= createDefinitions();
  return shared;
}

function createDefinitions(): Definitions {
  const packages = new Map<string, Record<string, RawSchema>>();

  function raw(name: string): RawSchema | undefined {
    const packageName = name.slice(0, name.lastIndexOf("."));
    let definitions = packages.get(packageName);
    if (definitions === undefined) {
      definitions = readDefinitions(packageName) ?? {};
      packages.set(packageName, definitions);
    }
    return Object.hasOwn(definitions, name) ? definitions[name] : undefined;
  }

  return { raw, schema: createSchemaResolver(raw) };
}
