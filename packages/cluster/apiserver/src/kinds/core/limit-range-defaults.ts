import type { JsonObject } from "../../lib/json/json.ts";
import { ensureObject, objectsOf, setDefault } from "../set-default.ts";

/** core/v1 LimitRange: what containers get is, unless stated, the most that they may have. */
export function defaultLimitRange(range: JsonObject): void {
  for (const limit of objectsOf(ensureObject(range, "spec").limits)) {
    if (limit.type !== "Container") continue;
    const limits = { ...ensureObject(limit, "default") };
    const requests = { ...ensureObject(limit, "defaultRequest") };
    for (const [name, amount] of Object.entries(ensureObject({ ...limit }, "max"))) {
      setDefault(limits, name, amount ?? null);
    }
    for (const [name, amount] of Object.entries(limits)) setDefault(requests, name, amount ?? null);
    for (const [name, amount] of Object.entries(ensureObject({ ...limit }, "min"))) {
      setDefault(requests, name, amount ?? null);
    }
    setOrDelete(limit, "default", limits);
    setOrDelete(limit, "defaultRequest", requests);
  }
}

function setOrDelete(limit: JsonObject, key: string, list: JsonObject): void {
  if (Object.keys(list).length === 0) delete limit[key];
  else limit[key] = list;
}
