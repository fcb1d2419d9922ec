import type { Resource } from "@operator-path/client";
import type { Client } from "../../client/client.ts";
import { createScheme } from "../../client/scheme.ts";
import { resourceOf } from "../../client/server-writer.ts";
import { createFakeReader } from "./fake-reader.ts";
import { createFakeStore } from "./fake-store.ts";
import { createFakeSubResource } from "./fake-subresource.ts";
import { createFakeWriter } from "./fake-writer.ts";
import { interceptClient } from "./interceptors.ts";
import { hasBuiltInStatus } from "./kinds.ts";
import type { FakeClientOptions } from "./options.ts";

/**
 * Creates a client without a cluster, for unit tests of a reconciler. It does what an API server does for
 * every kind: optimistic concurrency, generated names, UIDs, generations, finalizers, status subresources,
 * and server-side apply with managers and conflicts. A write that changes nothing creates no new version.
 * Go: fake.NewClientBuilder.
 *
 * It has no schema: it does not default, validate or prune, and it has no garbage collector. Strategic merge
 * patches and server-side apply merge lists of built-in kinds, and replace lists of other kinds.
 * managedFields are tracked but not returned. Where these matter, test against a cluster.
 *
 * Objects that it returns from reads are frozen, like those of a cache. So a reconciler that changes one
 * fails here, too.
 *
 * @throws SchemeError when the scheme does not know the kind of an object
 */
export function createFakeClient(options: FakeClientOptions = {}): Client {
  const { scheme = createScheme(), objects = [], indexes = [], clock = Date, interceptors } = options;
  const withStatus = new Set((options.statusSubresources ?? []).map(keyOf));
  const store = createFakeStore(
    (resource) => hasBuiltInStatus(resource) || withStatus.has(keyOf(resource)),
    options,
  );
  const { fieldOwner, fieldValidation, dryRun } = options;
  const defaults = { fieldOwner, fieldValidation, dryRun };
  for (const object of objects) store.seed(resourceOf(scheme, object), object);
  const subResource = (name: string) =>
    createFakeSubResource(store, scheme, defaults, name, () => clock.now());
  const client: Client = {
    scheme,
    ...createFakeReader(store, indexes),
    ...createFakeWriter(store, scheme, defaults, indexes),
    status: subResource("status"),
    subResource,
  };
  return interceptors ? interceptClient(client, interceptors) : client;
}

function keyOf({ group, plural }: Resource): string {
  return `${group}/${plural}`;
}
