import type { KubeObject, ObjectMeta } from "@operator-path/client";
import type { Entry } from "./entry.ts";

/**
 * A change of one object. Only `object`, `old`, `metadata` and `oldMetadata` parse anything, on first access;
 * the rest is read from the bytes.
 */
export interface Change<T extends KubeObject> {
  readonly type: "added" | "updated" | "deleted";
  /** "namespace/name", or "name" for a cluster-scoped object. */
  readonly key: string;
  readonly uid: string;
  /** The object's version; for a deletion that was seen, the version of the deletion. */
  readonly resourceVersion: string;
  /** The version of the previously cached object. Undefined for an addition. */
  readonly oldResourceVersion: string | undefined;
  /** The object existed before the handler was added or the informer started. */
  readonly isInInitialList: boolean;
  /**
   * The informer missed the deletion itself (client-go: DeletedFinalStateUnknown). `object` is the last known
   * state.
   */
  readonly isFinalStateUnknown: boolean;
  /** Parsed on first access. */
  readonly object: T;
  /** The previously cached object. */
  readonly old: T | undefined;
  /** The object's metadata. Parses only the metadata. */
  readonly metadata: ObjectMeta;
  /** The metadata of the previously cached object. */
  readonly oldMetadata: ObjectMeta | undefined;
}

/** A change as the store reports it. */
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
