import type { ObjectSpan } from "./wire/object-span.ts";

/**
 * Receives what a reflector reads, object by object (client-go: ReflectorStore). Bytes and span are valid
 * only during the call.
 */
export interface ReflectorSink {
  /**
   * Starts a list. Objects that are not put before `end` count as deleted. If a list breaks off, another
   * `begin` follows. Watch events may arrive between the objects of a stream. With `isOlderTrusted`, an
   * object replaces a newer one.
   */
  begin(isOlderTrusted: boolean): void;
  has(key: string): boolean;
  put(bytes: Uint8Array, span: ObjectSpan): void;
  /** The bytes hold the object's last state; its resourceVersion is that of the deletion. */
  delete(bytes: Uint8Array, span: ObjectSpan): void;
  end(): void;
}
