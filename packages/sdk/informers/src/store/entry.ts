import type { Clock, KubeObject, ObjectMeta } from "@operator-path/client";
import type { LabelSketch } from "../selectors.ts";
import type { ObjectSpan } from "../wire/object-span.ts";

/** A cached object. Everything but the object and its metadata is available without parsing. */
export interface Entry<T> extends Readonly<Partial<LabelSketch>> {
  readonly key: string;
  readonly uid: string;
  readonly resourceVersion: string;
  /** Returns the object. All readers share it: never modify it. */
  object(): T;
  /** Returns the object's metadata, and parses only the metadata where possible. */
  metadata(): ObjectMeta;
  /** Called when the store drops the entry. A reader that still holds the entry can use it. */
  release(): void;
  /** The last list that contained the object. Belongs to the store's sink. */
  epoch: number;
  /** The object's values in each index, in the order of the indexes. Belongs to the indexes. */
  indexed: readonly (readonly string[])[] | undefined;
}

/** Decides how objects are stored, and creates entries from bytes. */
export interface StorePolicy<T> {
  /** Creates an entry. Bytes and span are valid only during the call. */
  entryOf(bytes: Uint8Array, span: ObjectSpan): Entry<T>;
  /** Stops all background work. Entries stay readable. */
  stop?(): void;
}

export interface PolicyOptions<T extends KubeObject> {
  /** Items of a built-in list carry no apiVersion and no kind: the list states both for all of them. */
  apiVersion: string;
  kind: string;
  /** Keep metadata.managedFields. */
  managedFields: boolean;
  /** Freeze objects, so that a write throws. */
  freeze: boolean;
  transform: ((object: T) => T) | undefined;
  clock: Clock;
  /** Milliseconds after which a lazy object is compressed. */
  coldAfter: number;
  /** Called when a transform fails. The object is cached as it arrived. */
  onError(error: unknown): void;
}
