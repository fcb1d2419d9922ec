import type { KubeObject, ObjectMeta } from "@operator-path/client";
import { describe } from "../describe.ts";
import { deepFreeze } from "../freeze.ts";
import type { ObjectSpan } from "../wire/object-span.ts";
import { parseObject } from "../wire/parse-object.ts";
import { createColdSlabs } from "./cold/cold-slabs.ts";
import type { Entry, PolicyOptions, StorePolicy } from "./entry.ts";
import { createFinish } from "./finish.ts";
import { createHotCache, type HotCache, type Warm } from "./hot-cache.ts";
import { anyLabels, type LabelSketch, sketchLabels } from "./label-sketch.ts";
import { type Kept, noSlab, type Slabs, textOfKept } from "./slabs.ts";

/** Parsed objects that are remembered at a time. */
const hotObjects = 1024;

/**
 * Objects are kept as the bytes they came in, and parsed when they are read. The objects that were read last are
 * remembered; of the others each read gives another copy, so compare resourceVersions and not objects. What has not
 * changed for some time is compressed.
 *
 * An object that is broken behind its metadata is found out by its reader: `object()` throws a SyntaxError that names it.
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

class LazyEntry<T extends KubeObject> implements Entry<T>, Warm, Kept, LabelSketch {
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
  /** Within the object; -1 when it has none. */
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
      // One that was released is read by whoever still has it, and is no longer remembered for all.
      if (!this.isReleased) this.#shared.hot.add(this);
    } else this.used = true;
    return this.#object;
  }

  metadata(): ObjectMeta {
    // What a transform makes of the metadata is known by transforming alone.
    if (this.#object !== undefined || this.#shared.transforms) return this.object().metadata ?? {};
    if (this.#metadataFrom < 0) return {};
    const metadata = this.#parse(this.#metadataFrom, this.#metadataTo) as ObjectMeta;
    if (this.labelPairs === anyLabels) sketchLabels(metadata.labels, this);
    return this.#shared.freeze ? deepFreeze(metadata) : metadata;
  }

  /** From here on its metadata is dear: what selectors ask of it is noted. */
  beforeCold(): void {
    if (this.#shared.transforms || this.labelPairs !== anyLabels) return;
    try {
      this.metadata();
    } catch {
      // Its reader will be told.
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
      return parseObject(textOfKept(this, from, to));
    } catch (error) {
      throw new SyntaxError(`${this.key}, as it came from the server, is no JSON: ${describe(error)}`, {
        cause: error,
      });
    }
  }
}
