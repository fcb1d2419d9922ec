import { createHash } from "node:crypto";
import type { JsonValue } from "../../lib/json/json.ts";
import type { TypeRegistry } from "../types/registry.ts";
import { aggregatedDiscovery, aggregatedMediaType } from "./aggregated.ts";
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from "./legacy.ts";

/** A response to a GET, without its status (200). Header names are in lower case. */
export interface PublishedDocument {
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
}

/** The documents of a registry by `path accept`. Dropped when the registry changes. */
interface Published {
  revision: number;
  documents: Map<string, PublishedDocument>;
}
const published = new WeakMap<TypeRegistry, Published>();

/**
 * Returns the discovery document of a path: `/api`, `/apis`, `/api/v1`, `/apis/<group>`,
 * `/apis/<group>/<version>`. The first two are aggregated if the client requests that: all groups and
 * resources in one response, with an ETag.
 *
 * @param accept the request's Accept header, or ""
 * @returns undefined for any other path, for which a real server answers `404 page not found`
 */
export function discoveryDocument(
  path: string,
  accept: string,
  registry: TypeRegistry,
): PublishedDocument | undefined {
  let cache = published.get(registry);
  if (cache?.revision !== registry.revision) {
    cache = { revision: registry.revision, documents: new Map() };
    published.set(registry, cache);
  }
  const aggregated = path === "/api" || path === "/apis" ? aggregatedMediaType(accept) : undefined;
  const key = `${path} ${aggregated?.mediaType ?? ""}`;
  const known = cache.documents.get(key);
  if (known !== undefined) return known;
  const value =
    aggregated === undefined
      ? plainDocument(path, registry)
      : aggregatedDiscovery(path === "/api", registry, aggregated.version);
  if (value === undefined) return undefined;
  const body = Buffer.from(JSON.stringify(value));
  const document = {
    headers: {
      "content-type": aggregated?.mediaType ?? "application/json",
      vary: "Accept",
      ...(aggregated === undefined ? {} : { etag: entityTag(body), "cache-control": "public" }),
    },
    body,
  };
  cache.documents.set(key, document);
  return document;
}

function plainDocument(path: string, registry: TypeRegistry): JsonValue | undefined {
  const [root, ...rest] = path.split("/").slice(1);
  if (root === "api") {
    if (rest.length === 0) return apiVersions();
    return rest.length === 1 ? apiResourceList(registry, "", rest[0] ?? "") : undefined;
  }
  if (root !== "apis") return undefined;
  if (rest.length === 0) return apiGroupList(registry);
  const [group = "", version = ""] = rest;
  if (group === "") return undefined;
  if (rest.length === 1) return apiGroup(registry, group);
  return rest.length === 2 ? apiResourceList(registry, group, version) : undefined;
}

/** Returns a strong entity tag in quotes. Like the API server's, it is a SHA-512 in capitals. */
function entityTag(bytes: Uint8Array | string): string {
  return `"${createHash("sha512").update(bytes).digest("hex").toUpperCase()}"`;
}
