import { createHash } from "node:crypto";
import type { JsonValue } from "../../lib/json/json.ts";
import type { TypeRegistry } from "../types/registry.ts";
import { aggregatedDiscovery, aggregatedMediaType } from "./aggregated.ts";
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from "./legacy.ts";

/** A whole answer to a GET, short of its status (200). Header names are in lower case. */
export interface PublishedDocument {
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
}

/** A registry's documents by `path accept`, thrown away when the registry has changed. */
interface Published {
  revision: number;
  documents: Map<string, PublishedDocument>;
}
const published = new WeakMap<TypeRegistry, Published>();

/**
 * The discovery document under a path: `/api`, `/apis`, `/api/v1`, `/apis/<group>`, `/apis/<group>/<version>`. The first two
 * come aggregated (every group and resource in one answer, with an ETag) where the client asks for that.
 *
 * @param accept the request's Accept header; "" for none
 * @returns undefined when there is nothing under the path, which a real server answers by `404 page not found`
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

/** A strong entity tag of some bytes, in the quotes of the ETag header: SHA-512 in capitals, as the API server's are. */
function entityTag(bytes: Uint8Array | string): string {
  return `"${createHash("sha512").update(bytes).digest("hex").toUpperCase()}"`;
}
