import { type Client, isNotFound, type KubeObject } from "@operator-path/client";
import { type DiscoveredResource, supports } from "../discovery.ts";

/** What is left of one resource in a namespace after everything was asked to go. */
export interface Remainder {
  resource: DiscoveredResource;
  count: number;
  /** How many objects wait for each finalizer. */
  finalizers: Map<string, number>;
}

/**
 * Deletes all objects of a resource in a namespace, and resolves with those that are still there: waiting for a grace
 * period or for finalizers. Throws when the API server refuses.
 */
export async function deleteContents(
  client: Client,
  resource: DiscoveredResource,
  namespace: string,
): Promise<Remainder> {
  const objects = await list(client, resource, namespace);
  const waiting = objects.filter(({ metadata }) => metadata?.deletionTimestamp === undefined);
  if (waiting.length > 0) await deleteAll(client, resource, namespace, waiting);

  const remaining = waiting.length > 0 ? await list(client, resource, namespace) : objects;
  const finalizers = new Map<string, number>();
  for (const finalizer of remaining.flatMap(({ metadata }) => metadata?.finalizers ?? [])) {
    finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + 1);
  }
  return { resource, count: remaining.length, finalizers };
}

async function list(client: Client, resource: DiscoveredResource, namespace: string): Promise<KubeObject[]> {
  if (!supports(resource, "list")) return [];
  // Between discovery and here a resource may have gone, with its CustomResourceDefinition.
  const { items } = await client
    .resource(resource)
    .namespace(namespace)
    .list()
    .catch((error) => {
      if (isNotFound(error)) return { items: [] };
      throw error;
    });
  return items;
}

async function deleteAll(
  client: Client,
  resource: DiscoveredResource,
  namespace: string,
  objects: KubeObject[],
): Promise<void> {
  // The garbage collector would only find what is deleted here anyway.
  const propagationPolicy = "Background";
  const inNamespace = client.resource(resource).namespace(namespace);
  if (supports(resource, "deletecollection")) {
    await inNamespace.deleteCollection({ propagationPolicy });
    return;
  }
  for (const { metadata } of objects) {
    await inNamespace.delete(metadata?.name ?? "", { propagationPolicy }).catch((error) => {
      if (!isNotFound(error)) throw error;
    });
  }
}
