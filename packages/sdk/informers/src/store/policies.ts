import type { KubeObject, ObjectMeta } from "@operator-path/client";
import { type ObjectSpan, parseObject, textOf } from "../wire/object-span.ts";
import type { Entry, PolicyOptions, StorePolicy } from "./entry.ts";
import { createFinish } from "./finish.ts";
import { createLazyPolicy } from "./lazy.ts";

/** How a store keeps objects. See `SharedInformerOptions.store`. */
export type StoreKind = "parsed" | "lazy" | "metadata";

const policies = { parsed: createParsedPolicy, lazy: createLazyPolicy, metadata: createMetadataPolicy };

/** @throws RangeError if the kind is unknown */
export function createStorePolicy<T extends KubeObject>(
  kind: StoreKind,
  options: PolicyOptions<T>,
): StorePolicy<T> {
  const create = policies[kind];
  if (!create) {
    throw new RangeError(`unknown store ${JSON.stringify(kind)}: choose parsed, lazy or metadata`);
  }
  return create(options);
}

/** Parses objects on arrival, so that reads cost nothing. */
function createParsedPolicy<T extends KubeObject>(options: PolicyOptions<T>): StorePolicy<T> {
  const finish = createFinish(options);
  return {
    entryOf(bytes, span) {
      if (options.managedFields) span.cutTo = span.cutFrom;
      return new PlainEntry(span, finish(parseObject(textOf(bytes, span)) as T));
    },
  };
}

/**
 * Caches only the parsed metadata of each object (meta/v1 PartialObjectMetadata, but with the object's own
 * apiVersion and kind, as in controller-runtime). If the server sends whole objects, the rest is ignored.
 */
function createMetadataPolicy<T extends KubeObject>(options: PolicyOptions<T>): StorePolicy<T> {
  const finish = createFinish(options);
  const { apiVersion, kind } = options;
  return {
    entryOf(bytes, span) {
      if (options.managedFields) span.cutTo = span.cutFrom;
      const { metadataFrom, metadataTo } = span;
      const part = { ...span, from: metadataFrom, to: metadataTo };
      const metadata = metadataFrom < 0 ? {} : (JSON.parse(textOf(bytes, part)) as ObjectMeta);
      return new PlainEntry(span, finish({ apiVersion, kind, metadata } as T));
    },
  };
}

/** An entry that holds its parsed object. */
export class PlainEntry<T extends KubeObject> implements Entry<T> {
  readonly key: string;
  readonly uid: string;
  readonly resourceVersion: string;
  epoch = 0;
  indexed: Entry<T>["indexed"] = undefined;
  readonly #object: T;

  constructor(span: ObjectSpan, object: T) {
    this.key = span.key;
    this.uid = span.uid;
    this.resourceVersion = span.resourceVersion;
    this.#object = object;
  }

  object(): T {
    return this.#object;
  }

  /** Does nothing: the garbage collector frees the object. */
  release(): void {}

  metadata(): ObjectMeta {
    return this.#object.metadata ?? {};
  }
}
