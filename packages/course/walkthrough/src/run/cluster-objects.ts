import { ApiError, type Client } from "@operator-path/client";

interface ApiResourceList {
  resources?: { name: string; namespaced: boolean; verbs?: string[] }[];
}

/** Kinds that come and go by themselves. */
const volatile = /^(?:events|leases|endpoints|endpointslices|componentstatuses|bindings)$/;

/** An object of the cluster. */
export interface ClusterObject {
  /** As a person calls it: `pods default/payment`. */
  readonly label: string;
  /** Its resource: `pods`. */
  readonly resource: string;
  readonly group: string;
  readonly name: string;
  /** Absent: it is in none. */
  readonly namespace?: string;
  readonly path: string;
  /** Its kind comes and goes by itself. */
  readonly volatile: boolean;
}

/** Every object of the cluster, by its path. */
export async function listObjects(
  client: Client,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, ClusterObject>> {
  const get = async <T>(path: string, accept = "application/json"): Promise<T> => {
    const ask = () => client.request({ method: "GET", path, headers: { accept }, ...(signal && { signal }) });
    // A server may close a connection that has been idle for as long as a page takes, in the moment in which it is used.
    const { body } = await ask().catch((error) => {
      if (error instanceof ApiError || signal?.aborted) throw error;
      return ask();
    });
    return JSON.parse(new TextDecoder().decode(body)) as T;
  };
  const { groups } = await get<{ groups: { preferredVersion: { groupVersion: string } }[] }>("/apis");
  const roots = ["/api/v1", ...groups.map((group) => `/apis/${group.preferredVersion.groupVersion}`)];
  const found = new Map<string, ClusterObject>();
  await Promise.all(
    roots.map(async (root) => {
      // A group whose server is away says nothing about what the page left behind.
      const list = await get<ApiResourceList>(root).catch((): ApiResourceList => ({}));
      const kinds = (list.resources ?? []).filter(
        (kind) => !kind.name.includes("/") && kind.verbs?.includes("list"),
      );
      await Promise.all(
        kinds.map(async ({ name: resource }) => {
          const accept = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";
          const objects = await get<{ items?: { metadata: { namespace?: string; name: string } }[] }>(
            `${root}/${resource}`,
            accept,
          );
          for (const { metadata } of objects.items ?? []) {
            const { namespace, name } = metadata;
            const [label, folder] =
              namespace === undefined
                ? [`${resource} ${name}`, root]
                : [`${resource} ${namespace}/${name}`, `${root}/namespaces/${namespace}`];
            const path = `${folder}/${resource}/${name}`;
            found.set(path, {
              ...{ label, resource, name, path },
              group: root.split("/")[2] === "v1" ? "" : (root.split("/")[2] ?? ""),
              volatile: volatile.test(resource),
              ...(namespace !== undefined && { namespace }),
            });
          }
        }),
      );
    }),
  );
  return found;
}
