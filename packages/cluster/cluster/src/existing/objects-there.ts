import { type Client, isNotFound } from "@operator-path/client";

interface ApiResourceList {
  readonly resources?: readonly { name: string; namespaced: boolean }[];
}

interface Page {
  readonly items: readonly { readonly metadata: { readonly name: string } }[];
  readonly metadata: { readonly continue?: string };
}

/**
 * Which of these objects outside of any namespace the cluster has.
 *
 * @param objects resource and name, or how names begin: `namespaces/shop`, `clusterroles/shop-*`
 * @throws ApiError when one may not be read
 */
export async function objectsThere(
  client: Client,
  objects: readonly string[],
  signal?: AbortSignal,
): Promise<string[]> {
  if (objects.length === 0) return [];
  const get = async <T>(path: string, query: Record<string, string> = {}): Promise<T> => {
    const { body } = await client.request({ method: "GET", path, query, ...(signal && { signal }) });
    return JSON.parse(new TextDecoder().decode(body)) as T;
  };
  const { groups } = await get<{ groups: { preferredVersion: { groupVersion: string } }[] }>("/apis");
  const roots = ["/api/v1", ...groups.map((group) => `/apis/${group.preferredVersion.groupVersion}`)];
  const kinds = await Promise.all(
    roots.map(async (root) => {
      // A group whose server is away has none of what a page makes.
      const { resources = [] } = await get<ApiResourceList>(root).catch((): ApiResourceList => ({}));
      return resources.filter(({ namespaced }) => !namespaced).map(({ name }) => ({ name, root }));
    }),
  );
  const there = await Promise.all(
    objects.map(async (object) => {
      const [resource = "", name = ""] = object.split("/");
      const answers = kinds.flat().filter((kind) => kind.name === resource);
      const found = await Promise.all(answers.map(({ root }) => namesThere(`${root}/${resource}`, name)));
      return found.flat().map((one) => `${resource}/${one}`);
    }),
  );
  return [...new Set(there.flat())];

  async function namesThere(path: string, name: string): Promise<string[]> {
    if (name.endsWith("*")) {
      const names: string[] = [];
      for (let from: string | undefined = ""; from !== undefined; ) {
        const query: Record<string, string> = { limit: "500", ...(from !== "" && { continue: from }) };
        const { items, metadata }: Page = await get(path, query);
        names.push(...items.map((item) => item.metadata.name));
        from = metadata.continue || undefined;
      }
      return names.filter((one) => one.startsWith(name.slice(0, -1)));
    }
    return get(`${path}/${encodeURIComponent(name)}`).then(
      () => [name],
      (error: unknown) => {
        if (isNotFound(error)) return [];
        throw error;
      },
    );
  }
}
