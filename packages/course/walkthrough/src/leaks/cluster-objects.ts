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
  /** Its resourceVersion. */
  readonly version: string;
  /** Its kind comes and goes by itself. */
  readonly volatile: boolean;
}

/** What is looked at in a cluster that others use. */
export interface ObjectScope {
  readonly namespaces: readonly string[];
  /** Resources outside of any namespace: `clusterroles`. */
  readonly resources: readonly string[];
}

type Get = <T>(path: string, query?: Record<string, string>, accept?: string) => Promise<T>;
type Page = {
  readonly items?: { metadata: { namespace?: string; name: string; resourceVersion?: string } }[];
  readonly metadata?: { readonly continue?: string };
};

export interface ListOptions {
  readonly signal?: AbortSignal;
  readonly scope?: ObjectScope;
  /** Namespaces whose objects are left out. */
  readonly without?: readonly string[];
}

/**
 * Every object of the cluster, by its path, or every one in `scope`: then nothing else is asked for, and what may not be listed
 * counts as nothing.
 */
export async function listObjects(
  client: Client,
  { signal, scope, without = [] }: ListOptions = {},
): Promise<ReadonlyMap<string, ClusterObject>> {
  const get: Get = async (path, query = {}, accept = "application/json") => {
    const headers = { accept };
    const { body } = await client.request({ method: "GET", path, query, headers, ...(signal && { signal }) });
    return JSON.parse(new TextDecoder().decode(body));
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
      const folders = kinds.flatMap(({ name, namespaced }) => foldersOf(root, name, namespaced, scope));
      await Promise.all(
        folders.map(async ({ folder, resource }) => {
          for (const { metadata } of await itemsOf(get, `${folder}/${resource}`, scope)) {
            const { namespace, name, resourceVersion: version = "" } = metadata;
            if (namespace !== undefined && without.includes(namespace)) continue;
            const path = `${root}${namespace === undefined ? "" : `/namespaces/${namespace}`}/${resource}/${name}`;
            found.set(path, {
              ...{ resource, name, path, version },
              label: `${resource} ${namespace === undefined ? "" : `${namespace}/`}${name}`,
              group: root.startsWith("/apis/") ? (root.split("/")[2] ?? "") : "",
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

/** Where a resource is listed: in all namespaces at once, or in those of the scope. */
function foldersOf(root: string, resource: string, namespaced: boolean, scope: ObjectScope | undefined) {
  if (!scope) return [{ folder: root, resource }];
  if (!namespaced) return scope.resources.includes(resource) ? [{ folder: root, resource }] : [];
  return scope.namespaces.map((namespace) => ({ folder: `${root}/namespaces/${namespace}`, resource }));
}

async function itemsOf(get: Get, path: string, scope: ObjectScope | undefined) {
  const accept = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";
  const items: NonNullable<Page["items"]> = [];
  try {
    for (let from: string | undefined = ""; from !== undefined; ) {
      const query: Record<string, string> = { limit: "500", ...(from !== "" && { continue: from }) };
      const page: Page = await get(path, query, accept);
      items.push(...(page.items ?? []));
      from = page.metadata?.continue || undefined;
    }
  } catch (error) {
    if (!scope || !(error instanceof ApiError)) throw error;
  }
  return items;
}

/** Objects without a namespace that the cluster makes by itself, for objects that have one. */
const byItself =
  /^(?:certificatesigningrequests|ipaddresses|nodes|persistentvolumes|runtimeclasses|volumeattachments)$/;

/**
 * Tells the objects that can be a page's own: in its namespace, what it `creates`, and what is in namespaces that it creates.
 *
 * @param creates resource and name, or how names begin: `namespaces/shop`, `clusterroles/shop-*`
 */
export function ownObjects(
  creates: readonly string[],
  namespace: string,
): (object: ClusterObject) => boolean {
  const declared = (object: string): boolean =>
    creates.some((one) => (one.endsWith("*") ? object.startsWith(one.slice(0, -1)) : object === one));
  return (object) =>
    object.namespace === undefined
      ? declared(`${object.resource}/${object.name}`)
      : object.namespace === namespace || declared(`namespaces/${object.namespace}`);
}

/** Where these objects are. */
export function scopeOf(creates: readonly string[], namespace: string): ObjectScope {
  const parts = creates.map((object) => object.split("/"));
  const named = parts.flatMap(([resource, name]) => (resource === "namespaces" && name ? [name] : []));
  return {
    namespaces: [...new Set([namespace, ...named])],
    resources: [...new Set(parts.flatMap(([resource]) => resource ?? []))],
  };
}

/** Returns the objects of a page that could be mistaken for other people's, each as its `creates` would list it. */
export function notDeclared(
  made: readonly ClusterObject[],
  own: (object: ClusterObject) => boolean,
): string[] {
  const strange = made.filter(
    (object) => !object.volatile && !byItself.test(object.resource) && !own(object),
  );
  return [
    ...new Set(
      strange
        // Those in a namespace that is not declared either follow from it.
        .filter(
          ({ namespace }) =>
            namespace === undefined ||
            !strange.some((other) => other.resource === "namespaces" && other.name === namespace),
        )
        .map(({ namespace, resource, name, label }) =>
          namespace === undefined ? `${resource}/${name}` : label,
        ),
    ),
  ].toSorted();
}
