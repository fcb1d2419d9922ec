import type { KubeObject, ObjectMeta } from "@operator-path/client";
import { textOf } from "../wire/text.ts";
import type { PolicyOptions, StorePolicy } from "./entry.ts";
import { createFinish } from "./finish.ts";
import { PlainEntry } from "./plain-entry.ts";

/**
 * Caches only the parsed metadata of each object (meta/v1 PartialObjectMetadata, but with the object's own
 * apiVersion and kind, as in controller-runtime). If the server sends whole objects, the rest is ignored.
 */
export function createMetadataPolicy<T extends KubeObject>(options: PolicyOptions<T>): StorePolicy<T> {
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
