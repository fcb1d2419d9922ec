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
  /** Only where they differ from those of the list, as `pods/eviction` (policy/v1). */
  group?: string;
  version?: string;
  verbs: string[];
  shortNames?: string[];
  categories?: string[];
  storageVersionHash?: string;
}

/** A built-in group: the core group has the name "", versions are in order of preference. */
export interface DiscoveredGroup {
  name: string;
  versions: { version: string; resources: DiscoveredResource[] }[];
}

interface GroupVersionKind {
  group: string;
  version: string;
  kind: string;
}

/** Paths of a group-version's OpenAPI v3 document, and which definitions it holds. */
interface DocumentData {
  info: JsonObject;
  paths: Record<string, JsonObject>;
  securitySchemes: JsonObject;
  definitions: string[];
  /** x-kubernetes-group-version-kind by definition. */
  kinds: Record<string, GroupVersionKind[]>;
}

// Each of these decompresses and parses anew, and keeps nothing: callers keep what they need. "undefined" means that
// the data has no such part.

export function readDiscovery(): DiscoveredGroup[] {
  return read<DiscoveredGroup[]>("discovery") ?? [];
}

/** Definition names by `group/version`, then by kind. */
export function readKinds(): Record<string, Record<string, string>> {
  return read<Record<string, Record<string, string>>>("kinds") ?? {};
}

/** Columns by `group/version/plural`. */
export function readColumns(): Record<string, ColumnDefinition[]> {
  return read<Record<string, ColumnDefinition[]>>("columns") ?? {};
}

/** Deprecation warnings by `group/version/plural`. */
export function readWarnings(): Record<string, string> {
  return read<Record<string, string>>("warnings") ?? {};
}

/** Definitions of a Go package (`io.k8s.api.core.v1`) by their full names, references unresolved. */
function readDefinitions(packageName: string): Record<string, RawSchema> | undefined {
  return read<Record<string, RawSchema>>(`definitions/${packageName}`);
}

/** @param path `api/v1` or `apis/<group>/<version>` */
export function readDocument(path: string): DocumentData | undefined {
  return read<DocumentData>(`document/${path}`);
}

function read<T>(name: string): T | undefined {
  if (!Object.hasOwn(blobs, name)) return undefined;
  const blob = blobs[name] ?? "";
  return JSON.parse(brotliDecompressSync(Buffer.from(blob, "base64")).toString("utf8")) as T;
}

/** Kubernetes' own definitions by full name (`io.k8s.api.core.v1.Pod`), read a package at a time, when first asked for. */
export interface Definitions {
  /** As it stands in the OpenAPI documents. */
  raw(name: string): RawSchema | undefined;
  /** With its references followed. */
  schema(name: string): Schema | undefined;
}

export function createDefinitions(): Definitions {
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
