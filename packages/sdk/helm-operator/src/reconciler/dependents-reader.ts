import type { Reader } from "@operator-path/controller-runtime";
import { isSecrets } from "./release-secrets.ts";

/** Reads what releases consist of from the cache, which has a watch of it; but Secrets, of which it has the metadata alone. */
export function dependentsReader(cached: Reader, server: Reader): Reader {
  const readerOf = (resource: Parameters<Reader["get"]>[0]) => (isSecrets(resource) ? server : cached);
  return {
    get: (resource, key, options) => readerOf(resource).get(resource, key, options),
    list: (resource, options) => readerOf(resource).list(resource, options),
  };
}
