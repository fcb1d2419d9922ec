import { managedFieldsText } from "../../apimachinery/managed-fields/managers.ts";
import type { ApiObject, JsonObject, JsonValue, ObjectMeta } from "../../lib/json/json.ts";

/** One immutable version of one object. A write creates a new one. */
export interface StoredObject {
  /** `namespace/name`, or `name` for cluster-scoped kinds. */
  readonly key: string;
  /** The revision of its write, which is also `object.metadata.resourceVersion`. */
  readonly revision: number;
  /** Deeply frozen. */
  readonly object: ApiObject;
  /**
   * Returns the object's JSON without its braces, apiVersion and kind. Only those two differ between a single
   * object, a list item and the versions of a kind, so that all readers share one encoding. It is cached
   * until the object is retired.
   */
  body(): Buffer;
  /** Returns the approximate memory of `object` in bytes: see `heapSize`. */
  size(): number;
  /**
   * True after a later write has replaced the object. Then only the history has it, and copies must not be
   * cached.
   */
  readonly retired: boolean;
  /** Called by the store. Drops the encoding; a later reader encodes again. */
  retire(): void;
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
  let size: number | undefined;
  let retired = false;
  return {
    key,
    revision,
    object,
    body() {
      if (encoded !== undefined) return encoded;
      const bytes = encodeExactly(bodyOf(object.metadata, rest));
      if (!retired) encoded = bytes;
      return bytes;
    },
    size() {
      size ??= heapSize(object);
      return size;
    },
    get retired() {
      return retired;
    },
    retire() {
      retired = true;
      encoded = undefined;
    },
  };
}

function bodyOf({ managedFields, ...metadata }: ObjectMeta, rest: JsonObject): string {
  const head = JSON.stringify({ metadata }).slice(1, -2);
  const managers = Array.isArray(managedFields) ? `,"managedFields":${managedFieldsText(managedFields)}` : "";
  const tail = JSON.stringify(rest).slice(1, -1);
  return `${head}${managers}}${tail === "" ? "" : ","}${tail}`;
}

function deepFreeze(value: JsonValue | undefined): void {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const member of Object.values(value)) deepFreeze(member);
}

/**
 * Encodes text as UTF-8 in its own memory, for bytes that are kept. `Buffer.from` puts short text into a slab
 * of 64 KiB that it shares with other Buffers, and the slab stays as long as one of them.
 */
export function encodeExactly(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

/**
 * Returns the approximate memory of a value in bytes: one per character of text, and a few words per object,
 * member and item. Memory that two values share counts for both.
 */
function heapSize(value: JsonValue | undefined): number {
  if (typeof value === "string") return 16 + value.length;
  if (typeof value !== "object" || value === null) return 8;
  let size = 32;
  if (Array.isArray(value)) for (const item of value) size += 8 + heapSize(item);
  else {
    for (const [name, member] of Object.entries(value)) {
      // Objects whose manager owns the same fields share one copy of fieldsV1.
      size += 16 + name.length + (name === "fieldsV1" ? 8 : heapSize(member));
    }
  }
  return size;
}
