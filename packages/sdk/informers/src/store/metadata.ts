import type { KubeObject, ObjectMeta } from "@operator-path/client";
import { textOf } from "../wire/text.ts";
import type { PolicyOptions, StorePolicy } from "./entry.ts";
import { createFinish } from "./finish.ts";
import { PlainEntry } from "./plain-entry.ts";

/**
 * Of each object its metadata alone is kept, parsed (meta/v1 PartialObjectMetadata, with the apiVersion and kind of the
 * object itself, as in controller-runtime). Where a server sends more, the rest is not looked at.
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
