import type { Client as Connection, KubeObject, Resource } from "@operator-path/client";
import type { Cache } from "../cache/cache.ts";
import type { Client } from "./client.ts";
import type { Reader } from "./reader.ts";
import { createScheme, type Scheme } from "./scheme.ts";
import { createServerReader } from "./server-reader.ts";
import { createSubResourceClient } from "./server-subresource.ts";
import { createServerWriter, type WriteContext, type WriteDefaults } from "./server-writer.ts";

/** Configures `createObjectClient`. */
export interface ObjectClientOptions extends WriteDefaults {
  /** Default: the built-in kinds. */
  scheme?: Scheme | undefined;
  /** The cache that answers reads. Default: the server answers them. */
  cache?: {
    reader: Cache;
    /** Resources that are always read from the server. Go: client.CacheOptions.DisableFor. */
    disableFor?: readonly Resource[];
  };
}

/**
 * Creates a client that takes objects, where `createClient` of @operator-path/client takes paths. With a
 * cache it reads from the cache and writes to the server. Without one it does both at the server, as a
 * manager's `apiReader`. Go: client.New.
 */
export function createObjectClient(connection: Connection, options: ObjectClientOptions = {}): Client {
  const { scheme = createScheme(), cache, ...defaults } = options;
  const server = createServerReader(connection);
  const context: WriteContext = {
    connection,
    scheme,
    defaults,
    wrote: (write) => cache?.reader.noteWrite(write),
  };
  const uncached = new Set((cache?.disableFor ?? []).map(keyOf));

  function readerOf<T extends KubeObject>(resource: Resource<T>): Reader {
    return cache && !uncached.has(keyOf(resource)) ? cache.reader : server;
  }

  return {
    scheme,
    get: async (resource, key, getOptions) => readerOf(resource).get(resource, key, getOptions),
    list: async (resource, listOptions) => readerOf(resource).list(resource, listOptions),
    ...createServerWriter(context),
    status: createSubResourceClient(context, "status"),
    subResource: (name) => createSubResourceClient(context, name),
  };
}

/** Without the version: disabling the cache for one version should disable it for all. */
function keyOf({ group, plural }: Resource): string {
  return `${plural}.${group}`;
}
