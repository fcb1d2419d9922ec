import { managedFieldsText } from "../../apimachinery/managed-fields/managers.ts";
import type { ApiObject, JsonObject, JsonValue, ObjectMeta } from "../../lib/json/json.ts";

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
   * the single object, the item of a list and the versions of a kind, so one encoding serves every reader. It is kept
   * until the object is retired.
   */
  body(): Buffer;
  /** About the bytes of memory that `object` takes, see `heapSize`. */
  size(): number;
  /** True once a later write has taken its place: then only the history has it, and nobody should keep copies. */
  readonly retired: boolean;
  /** Called by the store. The encoding is let go; a reader that comes later has it made anew. */
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
 * Encodes text as UTF-8 in memory of its own, for bytes that are kept. `Buffer.from` puts short text into a slab of
 * 64 KiB that it shares with other Buffers, and the slab stays as long as any of them does.
 */
export function encodeExactly(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

/**
 * About how many bytes of memory a value takes: text with one byte for each character, and a few words for every
 * object, member and item. Memory that two values share counts for both.
 */
function heapSize(value: JsonValue | undefined): number {
  if (typeof value === "string") return 16 + value.length;
  if (typeof value !== "object" || value === null) return 8;
  let size = 32;
  if (Array.isArray(value)) for (const item of value) size += 8 + heapSize(item);
  else {
    for (const [name, member] of Object.entries(value)) {
      // Which fields a manager owns is kept once for all objects of which it owns the same ones.
      size += 16 + name.length + (name === "fieldsV1" ? 8 : heapSize(member));
    }
  }
  return size;
}
