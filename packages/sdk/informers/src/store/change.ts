import type { KubeObject, ObjectMeta } from "@operator-path/client";
import type { Entry } from "./entry.ts";

/**
 * What has happened to one object, without it being parsed before somebody looks: all but `object`, `old` and `metadata`
 * is known from its bytes.
 */
export interface Change<T extends KubeObject> {
  readonly type: "added" | "updated" | "deleted";
  /** "namespace/name", or "name" of a cluster-scoped object. */
  readonly key: string;
  readonly uid: string;
  /** Of the object; of a deletion that was seen: the deletion's. */
  readonly resourceVersion: string;
  /** Of the object that was cached before: none when it was added. */
  readonly oldResourceVersion: string | undefined;
  /** The object was there when the handler was added, or when the informer started. */
  readonly isInInitialList: boolean;
  /** The deletion itself was not seen (client-go: DeletedFinalStateUnknown): the object is the last that was. */
  readonly isFinalStateUnknown: boolean;
  /** Parsed at the first look. */
  readonly object: T;
  /** What was cached before. */
  readonly old: T | undefined;
  /** The object's metadata: parses no more than that. */
  readonly metadata: ObjectMeta;
  /** That of what was cached before. */
  readonly oldMetadata: ObjectMeta | undefined;
}

/** A change as the store tells of it. */
export class EntryChange<T extends KubeObject> implements Change<T> {
  readonly type: Change<T>["type"];
  readonly isInInitialList: boolean;
  readonly isFinalStateUnknown: boolean;
  readonly #entry: Entry<T>;
  readonly #before: Entry<T> | undefined;
  #metadata: ObjectMeta | undefined;
  #oldMetadata: ObjectMeta | undefined;

  constructor(
    type: Change<T>["type"],
    entry: Entry<T>,
    before: Entry<T> | undefined,
    { isInInitialList = false, isFinalStateUnknown = false } = {},
  ) {
    this.type = type;
    this.isInInitialList = isInInitialList;
    this.isFinalStateUnknown = isFinalStateUnknown;
    this.#entry = entry;
    this.#before = before;
  }

  get key(): string {
    return this.#entry.key;
  }

  get uid(): string {
    return this.#entry.uid;
  }

  get resourceVersion(): string {
    return this.#entry.resourceVersion;
  }

  get oldResourceVersion(): string | undefined {
    return this.#before?.resourceVersion;
  }

  get object(): T {
    return this.#entry.object();
  }

  get old(): T | undefined {
    return this.#before?.object();
  }

  get metadata(): ObjectMeta {
    this.#metadata ??= this.#entry.metadata();
    return this.#metadata;
  }

  get oldMetadata(): ObjectMeta | undefined {
    this.#oldMetadata ??= this.#before?.metadata();
    return this.#oldMetadata;
  }
}
