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
 * A client without a cluster, for tests of a reconciler alone (Go: fake.NewClientBuilder). It does what an API server does
 * whatever the kind: optimistic concurrency, generated names, UIDs and generations, finalizers, the status apart from the
 * rest, server-side apply with its managers and conflicts. Writes that change nothing make no version.
 *
 * It knows no schema: nothing is defaulted, validated or pruned, and nothing is collected when its owner goes. Lists are
 * merged, in strategic merge patches and server-side apply, where built-in kinds are known to; those of other kinds are
 * applied as a whole. managedFields are kept, and not shown. Where these count, test against a cluster.
 *
 * Objects that are read are frozen, as those of a cache are: a reconciler that changes one fails here too.
 *
 * @throws SchemeError when one of the objects is of a kind that the scheme does not know
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
