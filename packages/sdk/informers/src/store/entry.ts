import type { Clock, KubeObject, ObjectMeta } from "@operator-path/client";
import type { ObjectSpan } from "../wire/object-span.ts";
import type { LabelSketch } from "./label-sketch.ts";

/** A cached object: what is known of it without looking into it, and the object itself for whoever asks. */
export interface Entry<T> extends Readonly<Partial<LabelSketch>> {
  /** namespace/name */
  readonly key: string;
  readonly uid: string;
  readonly resourceVersion: string;
  /** Shared with every reader: never to be changed. */
  object(): T;
  /** The object's metadata, at no more cost than reading just that. */
  metadata(): ObjectMeta;
  /** The store keeps it no more; whoever has it can still read it. */
  release(): void;
  /** The list that has seen it last: the store's note. */
  epoch: number;
  /** Its values in each index, in the order of the indexes: the store's note. */
  indexed: readonly (readonly string[])[] | undefined;
}

/** How objects are kept: makes entries from bytes. */
export interface StorePolicy<T> {
  /** The bytes are the entry's for the time of the call only; so is the span. */
  entryOf(bytes: Uint8Array, span: ObjectSpan): Entry<T>;
  /** The policy does nothing in the background from here on. Entries stay readable. */
  stop?(): void;
}

export interface PolicyOptions<T extends KubeObject> {
  /** Items of a built-in list carry neither on the wire: the list says it for all. */
  apiVersion: string;
  kind: string;
  /** Keep metadata.managedFields. */
  managedFields: boolean;
  /** Freeze objects, so that changing one throws. */
  freeze: boolean;
  transform: ((object: T) => T) | undefined;
  clock: Clock;
  /** Milliseconds after which a lazy object is compressed. */
  coldAfter: number;
  /** A transform has failed; the object is kept as it came. */
  onError(error: unknown): void;
}
