import { ApiError, type Client } from "@operator-path/client";

interface ApiResourceList {
  resources?: { name: string; namespaced: boolean; verbs?: string[] }[];
}

/** Kinds whose objects the cluster creates and deletes by itself. */
const volatile = /^(?:events|leases|endpoints|endpointslices|componentstatuses|bindings)$/;

/** An object of the cluster. */
export interface ClusterObject {
  /** Name for messages: `pods default/payment`. */
  readonly label: string;
  /** The resource: `pods`. */
  readonly resource: string;
  readonly group: string;
  readonly name: string;
  /** Absent for cluster-scoped objects. */
  readonly namespace?: string;
  readonly path: string;
  /** The resourceVersion. */
  readonly version: string;
  /** The cluster creates and deletes objects of this kind by itself. */
  readonly volatile: boolean;
}

/** The part of a cluster that a run looks at, if others use it too. */
export interface ObjectScope {
  readonly namespaces: readonly string[];
  /** Cluster-scoped resources: `clusterroles`. */
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
  /** Namespaces to leave out. */
  readonly without?: readonly string[];
}

/**
 * Lists every object of the cluster, by path. With `scope`, requests only the objects in it, and treats a
 * list that the server rejects as empty.
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
      // A group whose server does not answer has no objects of the page.
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

/** Returns the paths that list a resource: for all namespaces at once, or for those of the scope. */
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

/** Cluster-scoped objects that the cluster creates by itself. */
const byItself =
  /^(?:certificatesigningrequests|ipaddresses|nodes|persistentvolumes|runtimeclasses|volumeattachments)$/;

/**
 * Returns a function that reports whether an object can be a page's own: it is in the page's namespace, on
 * its `creates` list, or in a namespace on that list.
 *
 * @param creates resource and name, or a prefix of names: `namespaces/shop`, `clusterroles/shop-*`
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

/** Returns the scope of these objects. */
export function scopeOf(creates: readonly string[], namespace: string): ObjectScope {
  const parts = creates.map((object) => object.split("/"));
  const named = parts.flatMap(([resource, name]) => (resource === "namespaces" && name ? [name] : []));
  return {
    namespaces: [...new Set([namespace, ...named])],
    resources: [...new Set(parts.flatMap(([resource]) => resource ?? []))],
  };
}

/** Returns the objects of a page that its `creates` list lacks, each as the list would name it. */
export function notDeclared(
  made: readonly ClusterObject[],
  own: (object: ClusterObject) => boolean,
): string[] {
  const missing = made.filter(
    (object) => !object.volatile && !byItself.test(object.resource) && !own(object),
  );
  return [
    ...new Set(
      missing
        // A missing namespace also covers its objects.
        .filter(
          ({ namespace }) =>
            namespace === undefined ||
            !missing.some((other) => other.resource === "namespaces" && other.name === namespace),
        )
        .map(({ namespace, resource, name, label }) =>
          namespace === undefined ? `${resource}/${name}` : label,
        ),
    ),
  ].toSorted();
}
