import type { ApiObject, JsonValue } from "../json.ts";

/** One version of one object. Never changes: a write makes a new one. */
export interface StoredObject {
  /** `namespace/name`, or `name` for cluster-scoped kinds. */
  readonly key: string;
  /** The revision that wrote it; also in `object.metadata.resourceVersion`. */
  readonly revision: number;
  /** Deeply frozen. */
  readonly object: ApiObject;
  /**
   * The object's JSON without its braces and without apiVersion and kind. Those two are all that differs between
   * the single object, the item of a list and the versions of a kind, so one encoding serves every reader.
   */
  body(): Buffer;
}

export function createStoredObject(key: string, revision: number, source: ApiObject): StoredObject {
  const { apiVersion, kind, metadata, ...rest } = source;
  const object: ApiObject = {
    apiVersion,
    kind,
    metadata: { ...metadata, resourceVersion: String(revision) },
    ...rest,
  };
  deepFreeze(object);
  let encoded: Buffer | undefined;
  return {
    key,
    revision,
    object,
    body() {
      encoded ??= Buffer.from(JSON.stringify({ metadata: object.metadata, ...rest }).slice(1, -1));
      return encoded;
    },
  };
}

function deepFreeze(value: JsonValue | undefined): void {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const member of Object.values(value)) deepFreeze(member);
}
