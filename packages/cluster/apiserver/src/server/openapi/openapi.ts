import { createHash } from "node:crypto";
import { digest } from "../../generated/kubernetes.ts";
import type { JsonObject } from "../../lib/json/json.ts";
import type { PublishedDocument } from "../discovery/discovery.ts";
import type { TypeRegistry } from "../types/registry.ts";
import type { ResourceType } from "../types/resource-type.ts";
import { builtInDocument } from "./built-in.ts";

const ROOT = "/openapi/v3";

/** Returns the document of a group-version that consists of custom resources. */
export type CustomDocument = (types: ResourceType[], registry: TypeRegistry) => JsonObject;

interface OpenapiContext {
  readonly registry: TypeRegistry;
  readonly customDocument: CustomDocument;
}

interface Published {
  revision: number;
  /** Documents by `api/v1` or `apis/<group>/<version>`. Built when they are first requested. */
  documents: Map<string, PublishedDocument>;
}
const published = new WeakMap<TypeRegistry, Published>();

/**
 * Returns the OpenAPI v3 document of a path: the index `/openapi/v3`, or that of a group-version:
 * `/openapi/v3/api/v1`, `/openapi/v3/apis/<group>/<version>`. Documents have an ETag and, in the index, a
 * hash that changes only with their content. Clients cache a document until its hash changes.
 *
 * @param path with or without the `hash` of the index
 * @returns undefined for any other path, including `/openapi/v2` (see v2.ts)
 */
export function openapiDocument(path: string, context: OpenapiContext): PublishedDocument | undefined {
  const { registry } = context;
  const { pathname, searchParams } = new URL(path, "http://localhost");
  if (pathname === ROOT || pathname === `${ROOT}/`) return index(registry);
  if (!pathname.startsWith(`${ROOT}/`)) return undefined;
  const name = pathname.slice(ROOT.length + 1);
  const types = typesByDocument(registry).get(name);
  if (types === undefined) return undefined;
  const document = publish(name, types, context);
  // With the current hash, the address identifies the content, so clients may cache it forever.
  if (searchParams.get("hash") !== documentHash(name, types)) return document;
  return { ...document, headers: { ...document.headers, "cache-control": "public, immutable" } };
}

function index(registry: TypeRegistry): PublishedDocument {
  const paths: JsonObject = {};
  for (const [name, types] of typesByDocument(registry)) {
    paths[name] = { serverRelativeURL: `${ROOT}/${name}?hash=${documentHash(name, types)}` };
  }
  const body = Buffer.from(JSON.stringify({ paths }));
  return { headers: { "content-type": "application/json", "cache-control": "no-cache, private" }, body };
}

function publish(
  name: string,
  types: ResourceType[],
  { registry, customDocument }: OpenapiContext,
): PublishedDocument {
  let cache = published.get(registry);
  if (cache?.revision !== registry.revision) {
    cache = { revision: registry.revision, documents: new Map() };
    published.set(registry, cache);
  }
  const known = cache.documents.get(name);
  if (known !== undefined) return known;
  const value = types.some((type) => type.custom === undefined)
    ? builtInDocument(name, types, registry)
    : customDocument(types, registry);
  const document = {
    headers: {
      "content-type": "application/json",
      "cache-control": "no-cache, private",
      etag: `"${documentHash(name, types)}"`,
      vary: "Accept",
    },
    body: Buffer.from(JSON.stringify(value)),
  };
  cache.documents.set(name, document);
  return document;
}

function typesByDocument(registry: TypeRegistry): Map<string, ResourceType[]> {
  const documents = new Map<string, ResourceType[]>();
  for (const type of registry.resources()) {
    const name = type.group === "" ? `api/${type.version}` : `apis/${type.group}/${type.version}`;
    const types = documents.get(name);
    if (types === undefined) documents.set(name, [type]);
    else types.push(type);
  }
  return documents;
}

/** Returns the hash of a document's sources, so that the index does not need the documents. */
function documentHash(name: string, types: ResourceType[]): string {
  const hash = createHash("sha512").update(`${digest} ${name}`);
  for (const { plural, subresources, custom } of types) {
    hash.update(` ${plural} ${subresources} ${custom?.hash ?? ""}`);
  }
  return hash.digest("hex").toUpperCase();
}
