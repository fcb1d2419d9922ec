import type { Client, Resource } from "@operator-path/client";

/** A resource as the API server announces it, in one of its versions. */
export interface DiscoveredResource extends Resource {
  verbs: string[];
  /** Whether this is the version that the server prefers. Each resource has exactly one. */
  preferred: boolean;
}

/** One version of a group with its resources, as far as it is read here (apidiscovery.k8s.io/v2). */
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
 * All resources, in all their versions (subresources are not listed). Two requests, whatever the number. Throws ApiError,
 * or what the connection gives.
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

/** Versions come in the server's order of preference: the first that has a resource is the preferred one. */
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
