import { ApiError, type Client } from "@operator-path/client";

interface ApiResourceList {
  resources?: { name: string; namespaced: boolean; verbs?: string[] }[];
}

/** Kinds that come and go by themselves. */
const volatile = /^(?:events|leases|endpoints|endpointslices|componentstatuses|bindings)$/;

/** Every object of the cluster, as `pods default/payment`; volatile kinds are left out. */
export async function listObjects(client: Client, signal?: AbortSignal): Promise<Set<string>> {
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
  const found = new Set<string>();
  await Promise.all(
    roots.map(async (root) => {
      // A group whose server is away says nothing about what the page left behind.
      const list = await get<ApiResourceList>(root).catch((): ApiResourceList => ({}));
      const kinds = (list.resources ?? []).filter(
        (kind) => !kind.name.includes("/") && kind.verbs?.includes("list") && !volatile.test(kind.name),
      );
      await Promise.all(
        kinds.map(async (kind) => {
          const accept = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";
          const objects = await get<{ items?: { metadata: { namespace?: string; name: string } }[] }>(
            `${root}/${kind.name}`,
            accept,
          );
          for (const { metadata } of objects.items ?? []) {
            found.add(
              `${kind.name} ${metadata.namespace === undefined ? "" : `${metadata.namespace}/`}${metadata.name}`,
            );
          }
        }),
      );
    }),
  );
  return found;
}
