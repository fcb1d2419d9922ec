import type { Client, Resource } from "@operator-path/client";

/** A resource from the discovery API, in one of its versions. */
export interface DiscoveredResource extends Resource {
  verbs: string[];
  /** Whether this is the server's preferred version. Each resource has exactly one. */
  preferred: boolean;
}

/** One version of a group, with the fields that are read here (apidiscovery.k8s.io/v2). */
interface GroupDiscovery {
  metadata?: { name?: string };
  versions?: {
    version: string;
    resources?: {
      resource: string;
      responseKind?: { group?: string; version?: string; kind?: string } | null;
      scope: "Namespaced" | "Cluster";
      verbs: string[];
    }[];
  }[];
}

const accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

/**
 * Lists all resources in all versions, without subresources, in two requests. Throws an ApiError, or the
 * connection's error.
 */
export async function discoverResources(client: Client, signal?: AbortSignal): Promise<DiscoveredResource[]> {
  const lists = await Promise.all(
    ["/api", "/apis"].map(async (path) => {
      const { body } = await client.request({
        method: "GET",
        path,
        headers: { accept },
        ...(signal && { signal }),
      });
      return JSON.parse(new TextDecoder().decode(body)) as { items?: GroupDiscovery[] };
    }),
  );
  return lists.flatMap(({ items = [] }) => items).flatMap(resourcesOf);
}

/** The server lists versions in order of preference. The first one with a resource is preferred. */
function resourcesOf({ metadata, versions = [] }: GroupDiscovery): DiscoveredResource[] {
  const seen = new Set<string>();
  return versions.flatMap(({ version, resources = [] }) =>
    resources.flatMap(({ resource, responseKind, scope, verbs }) => {
      if (!responseKind?.kind) return [];
      const preferred = !seen.has(resource);
      seen.add(resource);
      const group = metadata?.name ?? "";
      const namespaced = scope === "Namespaced";
      return [{ group, version, plural: resource, kind: responseKind.kind, namespaced, verbs, preferred }];
    }),
  );
}

export function supports({ verbs }: DiscoveredResource, ...wanted: string[]): boolean {
  return wanted.every((verb) => verbs.includes(verb));
}
