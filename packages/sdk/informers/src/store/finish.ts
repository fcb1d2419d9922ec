import type { KubeObject, ObjectMeta } from "@operator-path/client";
import type { PolicyOptions } from "./entry.ts";

/** The fields that identify an object. A transform must not change them. */
const identity = ["name", "namespace", "uid", "resourceVersion"] as const;

/**
 * Returns the steps that follow the parsing of an object under every policy: set apiVersion and kind,
 * transform, freeze. A failing transform is reported, and the object stays untransformed. A new request would
 * return the same object, so there is nothing to retry. The returned function never throws.
 */
export function createFinish<T extends KubeObject>(options: PolicyOptions<T>): (parsed: T) => T {
  const { apiVersion, kind, transform, freeze, onError } = options;
  let isResultReported = false;
  let isFreezingReported = false;

  /** Reports once: every further object would produce the same message. */
  function reportResult(what: string): void {
    if (isResultReported) return;
    isResultReported = true;
    onError(new TypeError(`${what}; such objects are cached untransformed (reported once)`));
  }

  function transformed(parsed: T): T {
    const { name, namespace, uid, resourceVersion } = parsed.metadata ?? {};
    const known: ObjectMeta = { name, namespace, uid, resourceVersion };
    try {
      const result: T | null | undefined = transform?.(parsed);
      if (typeof result !== "object" || result === null) {
        reportResult(
          `the transform returned ${result === null ? "null" : typeof result} instead of an object`,
        );
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
      // The object is nested too deeply, or contains something from a transform that cannot be frozen. Cache
      // it as it is.
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

/** Restores the identity: a transform may have modified the object before it failed. */
function restored<T extends KubeObject>(parsed: T, known: ObjectMeta): T {
  if (identity.every((member) => parsed.metadata?.[member] === known[member])) return parsed;
  const present = identity.filter((member) => known[member] !== undefined);
  const kept = Object.fromEntries(present.map((member) => [member, known[member]]));
  return { ...parsed, metadata: { ...parsed.metadata, ...kept } };
}

/**
 * Freezes an object deeply, so that a write to a cached object throws at the place that writes. Buffers and
 * typed arrays cannot be frozen and stay as they are. Returns the object.
 */
export function deepFreeze<T>(value: T): T {
  if (value !== null && typeof value === "object" && !Object.isFrozen(value) && !ArrayBuffer.isView(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) deepFreeze(part);
  }
  return value;
}
