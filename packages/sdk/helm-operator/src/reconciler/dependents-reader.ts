import type { Reader } from "@operator-path/controller-runtime";
import { isSecrets } from "./release-secrets.ts";

/**
 * Returns a reader for the objects of releases. It reads from the cache, which watches them, except for
 * Secrets, of which the cache has only the metadata.
 */
export function dependentsReader(cached: Reader, server: Reader): Reader {
  const readerOf = (resource: Parameters<Reader["get"]>[0]) => (isSecrets(resource) ? server : cached);
  return {
    get: (resource, key, options) => readerOf(resource).get(resource, key, options),
    list: (resource, options) => readerOf(resource).list(resource, options),
  };
}
