import type { ObjectSpan } from "./wire/object-span.ts";

/**
 * Where a reflector puts what it hears (client-go: ReflectorStore), object by object. Bytes and span are the sink's for
 * the time of the call only.
 */
export interface ReflectorSink {
  /**
   * A list begins. What is not put until `end` was deleted unheard. A list that breaks off is followed by another
   * `begin`; events may come in between its objects. `isOlderTrusted`: what is older than what the sink has takes its
   * place all the same.
   */
  begin(isOlderTrusted: boolean): void;
  has(key: string): boolean;
  put(bytes: Uint8Array, span: ObjectSpan): void;
  /** The object as it was when it was deleted; its resourceVersion is the deletion's. */
  delete(bytes: Uint8Array, span: ObjectSpan): void;
  end(): void;
}
