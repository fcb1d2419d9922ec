import type { KubeObject } from "@operator-path/client";
import type { PolicyOptions, StorePolicy } from "./entry.ts";
import { createLazyPolicy } from "./lazy.ts";
import { createMetadataPolicy } from "./metadata.ts";
import { createParsedPolicy } from "./parsed.ts";

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
