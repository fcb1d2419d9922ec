import type { Cache } from "../cache/cache.ts";
import type { Check } from "./check.ts";

/**
 * Returns a check that fails while a watch has no first list, or was silent for longer than
 * `cache.staleAfter`. It passes for a kind that the server does not have, and for one whose conversion webhook fails.
 */
export function cacheCheck(cache: Cache): Check {
  return () => {
    const stale = cache.health().informers.filter((informer) => informer.stale);
    if (stale.length === 0) return;
    const reasons = stale.map(({ resource, synced, silentFor, lastError }) => {
      const what = synced ? `silent for ${Math.round(silentFor / 1000)} s` : "not synced";
      return `${resource.plural}: ${what}${lastError ? ` (${lastError.message})` : ""}`;
    });
    throw new Error(`the cache is stale: ${reasons.join("; ")}`);
  };
}
