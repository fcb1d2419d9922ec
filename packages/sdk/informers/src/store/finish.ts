import type { KubeObject, ObjectMeta } from "@operator-path/client";
import { deepFreeze } from "../freeze.ts";
import type { PolicyOptions } from "./entry.ts";

/** What an object is known by: it is to be the same after a transform. */
const identity = ["name", "namespace", "uid", "resourceVersion"] as const;

/**
 * What happens to each object after it is parsed, whatever the policy: types, transform, freeze. A mistake of the transform
 * is told of and costs no more than its work: to ask for the object again would bring the same one. Never throws.
 */
export function createFinish<T extends KubeObject>(options: PolicyOptions<T>): (parsed: T) => T {
  const { apiVersion, kind, transform, freeze, onError } = options;
  let isResultReported = false;
  let isFreezingReported = false;

  /** Of each object it would say the same: once is enough. */
  function reportResult(what: string): void {
    if (isResultReported) return;
    isResultReported = true;
    onError(new TypeError(`${what}; such objects are cached as they came (this is reported once)`));
  }

  function transformed(parsed: T): T {
    const { name, namespace, uid, resourceVersion } = parsed.metadata ?? {};
    const known: ObjectMeta = { name, namespace, uid, resourceVersion };
    try {
      const result: T | null | undefined = transform?.(parsed);
      if (typeof result !== "object" || result === null) {
        reportResult(`the transform returned ${result === null ? "null" : typeof result}, and no object`);
        return restored(parsed, known);
      }
      const changed = identity.find((member) => result.metadata?.[member] !== known[member]);
      if (changed === undefined) return result;
      reportResult(`the transform changed metadata.${changed}`);
    } catch (error) {
      onError(error);
    }
    return restored(parsed, known);
  }

  function frozen(object: T): T {
    try {
      return deepFreeze(object);
    } catch (error) {
      // Nested too deeply, or something that a transform put there: it is cached as it is.
      if (!isFreezingReported) onError(error);
      isFreezingReported = true;
      return object;
    }
  }

  return (parsed) => {
    if (parsed.apiVersion === undefined) {
      parsed.apiVersion = apiVersion;
      parsed.kind = kind;
    }
    const object = transform ? transformed(parsed) : parsed;
    return freeze ? frozen(object) : object;
  };
}

/** A transform may have changed the object itself before it failed. */
function restored<T extends KubeObject>(parsed: T, known: ObjectMeta): T {
  if (identity.every((member) => parsed.metadata?.[member] === known[member])) return parsed;
  const present = identity.filter((member) => known[member] !== undefined);
  const kept = Object.fromEntries(present.map((member) => [member, known[member]]));
  return { ...parsed, metadata: { ...parsed.metadata, ...kept } };
}
