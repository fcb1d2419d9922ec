import type { KubeObject, ObjectMeta } from "@operator-path/client";
import { describe } from "../describe.ts";
import { anyLabels, type LabelSketch, sketchLabels } from "../selectors.ts";
import { type ObjectSpan, parseObject } from "../wire/object-span.ts";
import { createColdSlabs } from "./cold/cold-slabs.ts";
import type { Entry, PolicyOptions, StorePolicy } from "./entry.ts";
import { createFinish, deepFreeze } from "./finish.ts";
import { createHotCache, type HotCache, type Warm } from "./hot-cache.ts";
import { noSlab, type Slabs, type StoredBytes, textOfStored } from "./slabs.ts";

/** Number of parsed objects that are held at a time. */
const hotObjects = 1024;

/**
 * Stores objects as the bytes they arrived in, and parses them on each read. The most recently read objects
 * stay parsed; for any other object each read returns a new copy. So compare resourceVersions, not object
 * identity. Unchanged objects are compressed after a while.
 *
 * Bytes that are malformed after the metadata surface on the first read: `object()` throws a SyntaxError with
 * the key.
 */
export function createLazyPolicy<T extends KubeObject>(options: PolicyOptions<T>): StorePolicy<T> {
  const slabs = createColdSlabs(options);
  const shared: Shared<T> = {
    finish: createFinish(options),
    hot: createHotCache(hotObjects),
    slabs,
    freeze: options.freeze,
    transforms: options.transform !== undefined,
  };
  return {
    entryOf(bytes, span) {
      if (options.managedFields) span.cutTo = span.cutFrom;
      return new LazyEntry(shared, bytes, span);
    },
    stop: slabs.stop,
  };
}

interface Shared<T> {
  finish(parsed: T): T;
  hot: HotCache;
  slabs: Slabs;
  freeze: boolean;
  transforms: boolean;
}

class LazyEntry<T extends KubeObject> implements Entry<T>, Warm, StoredBytes, LabelSketch {
  readonly key: string;
  readonly uid: string;
  readonly resourceVersion: string;
  epoch = 0;
  indexed: Entry<T>["indexed"] = undefined;
  used = false;
  place = -1;
  slab = noSlab;
  at = 0;
  length = 0;
  isReleased = false;
  labelKeys = anyLabels;
  labelPairs = anyLabels;
  readonly #shared: Shared<T>;
  /** Offset within the object; -1 if the object has no metadata. */
  readonly #metadataFrom: number;
  readonly #metadataTo: number;
  #object: T | undefined = undefined;

  constructor(shared: Shared<T>, bytes: Uint8Array, span: ObjectSpan) {
    this.key = span.key;
    this.uid = span.uid;
    this.resourceVersion = span.resourceVersion;
    this.#shared = shared;
    this.#metadataFrom = span.metadataFrom < 0 ? -1 : span.metadataFrom - span.from;
    this.#metadataTo = span.metadataTo - span.from - (span.cutTo - span.cutFrom);
    shared.slabs.keep(bytes, span, this);
  }

  object(): T {
    if (this.#object === undefined) {
      this.#object = this.#shared.finish(this.#parse() as T);
      // A released entry stays readable, but takes no place in the hot cache.
      if (!this.isReleased) this.#shared.hot.add(this);
    } else this.used = true;
    return this.#object;
  }

  metadata(): ObjectMeta {
    // The metadata after a transform is only known by transforming the whole object.
    if (this.#object !== undefined || this.#shared.transforms) return this.object().metadata ?? {};
    if (this.#metadataFrom < 0) return {};
    const metadata = this.#parse(this.#metadataFrom, this.#metadataTo) as ObjectMeta;
    if (this.labelPairs === anyLabels) sketchLabels(metadata.labels, this);
    return this.#shared.freeze ? deepFreeze(metadata) : metadata;
  }

  /** Reading compressed metadata is slow, so this stores the label sketch first, for selectors. */
  beforeCold(): void {
    if (this.#shared.transforms || this.labelPairs !== anyLabels) return;
    try {
      this.metadata();
    } catch {
      // A malformed object is reported to its reader.
    }
  }

  release(): void {
    this.#shared.hot.remove(this);
    this.slab.release(this);
  }

  cool(): void {
    this.used = false;
    this.#object = undefined;
  }

  #parse(from?: number, to?: number): unknown {
    try {
      return parseObject(textOfStored(this, from, to));
    } catch (error) {
      throw new SyntaxError(`${this.key}: the server sent invalid JSON: ${describe(error)}`, {
        cause: error,
      });
    }
  }
}
