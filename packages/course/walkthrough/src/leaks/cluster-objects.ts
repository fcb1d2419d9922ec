import { ApiError, type Client } from "@operator-path/client";
import { sideBySide } from "../run/side-by-side.ts";

/** Aggregated discovery: all groups in one answer, their preferred version first. */
interface Discovery {
  readonly items: readonly {
    readonly metadata: { readonly name?: string };
    readonly versions: readonly {
      readonly version: string;
      readonly resources?: readonly {
        readonly resource: string;
        readonly scope: "Namespaced" | "Cluster";
        readonly verbs: readonly string[];
      }[];
      /** Stale: the group's own server does not answer. */
      readonly freshness?: "Current" | "Stale";
    }[];
  }[];
}

/** A resource and its group, which is empty for the core group. */
export interface ObjectKind {
  readonly resource: string;
  readonly group: string;
}

/** Kinds whose objects the cluster creates and deletes by itself. */
const volatile = /^(?:events|leases|endpoints|endpointslices|componentstatuses|bindings)$/;

/** Reports false for kinds whose objects the cluster creates and deletes by itself. */
export function isLasting({ resource }: ObjectKind): boolean {
  return !volatile.test(resource);
}

/** Reports whether objects of the kind are custom resources. */
export function isCustom({ group }: ObjectKind): boolean {
  return group.includes(".") && !group.endsWith(".k8s.io");
}

/** An object of the cluster. */
export interface ClusterObject extends ObjectKind {
  /** Name for messages: `pods default/payment`. */
  readonly label: string;
  readonly name: string;
  /** Absent for cluster-scoped objects. */
  readonly namespace?: string;
  readonly path: string;
  /** The resourceVersion. */
  readonly version: string;
}

/** The part of a cluster that a run looks at, if others use it too. */
export interface ObjectScope {
  readonly namespaces: readonly string[];
  /** Cluster-scoped resources: `clusterroles`. */
  readonly resources: readonly string[];
}

type Get = <T>(path: string, accept: string, query?: Record<string, string>) => Promise<T>;
type Page = {
  readonly items?: { metadata: { namespace?: string; name: string; resourceVersion?: string } }[];
  readonly metadata?: { readonly continue?: string };
};

export interface ListOptions {
  readonly scope?: ObjectScope;
  /** Namespaces to leave out. */
  readonly without?: readonly string[];
  /** Reports whether to list a kind. Default: all kinds. */
  kinds?(kind: ObjectKind): boolean;
}

/** Lists at a time. Each needs a connection, and a new connection takes longer than a list. */
const lists = 6;

/**
 * Lists every object of the cluster, by path. With `scope`, requests only the objects in it, and treats a
 * list that the server rejects as empty.
 */
export async function listObjects(
  client: Client,
  { scope, without = [], kinds = () => true }: ListOptions = {},
): Promise<ReadonlyMap<string, ClusterObject>> {
  const get: Get = async (path, accept, query = {}) => {
    const headers = { accept };
    const { body } = await client.request({ method: "GET", path, query, headers });
    return JSON.parse(new TextDecoder().decode(body));
  };
  const folders = (await Promise.all([readKinds(get, "/api"), readKinds(get, "/apis")]))
    .flat()
    .filter(kinds)
    .flatMap((kind) => foldersOf(kind, scope).map((folder) => ({ ...kind, folder })));
  const found = new Map<string, ClusterObject>();
  await sideBySide(folders, { jobs: lists }, async ({ root, resource, group, folder }) => {
    for (const { metadata } of await itemsOf(get, `${folder}/${resource}`, scope)) {
      const { namespace, name, resourceVersion: version = "" } = metadata;
      if (namespace !== undefined && without.includes(namespace)) continue;
      const path = `${root}${namespace === undefined ? "" : `/namespaces/${namespace}`}/${resource}/${name}`;
      found.set(path, {
        ...{ resource, group, name, path, version },
        label: `${resource} ${namespace === undefined ? "" : `${namespace}/`}${name}`,
        ...(namespace !== undefined && { namespace }),
      });
    }
  });
  return found;
}

interface ListedKind extends ObjectKind {
  /** The path of the group's preferred version: `/apis/apps/v1`. */
  readonly root: string;
  readonly namespaced: boolean;
}

/** Returns the kinds that can be listed, from the core group (`/api`) or all others (`/apis`). */
async function readKinds(get: Get, path: "/api" | "/apis"): Promise<ListedKind[]> {
  const accept = ["v2", "v2beta1"]
    .map((version) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`)
    .join(",");
  const { items } = await get<Partial<Discovery>>(path, accept);
  if (!items) throw new Error("the API server has no aggregated discovery: use Kubernetes 1.27 or newer");
  return items.flatMap(({ metadata: { name: group = "" }, versions: [preferred] }) => {
    // A group whose server does not answer has no objects of the page.
    if (!preferred || preferred.freshness === "Stale") return [];
    const root = [path, group, preferred.version].filter(Boolean).join("/");
    return (preferred.resources ?? [])
      .filter(({ verbs }) => verbs.includes("list"))
      .map(({ resource, scope }) => ({ resource, group, root, namespaced: scope === "Namespaced" }));
  });
}

/** Returns the paths that list a resource: for all namespaces at once, or for those of the scope. */
function foldersOf({ root, resource, namespaced }: ListedKind, scope: ObjectScope | undefined): string[] {
  if (!scope) return [root];
  if (!namespaced) return scope.resources.includes(resource) ? [root] : [];
  return scope.namespaces.map((namespace) => `${root}/namespaces/${namespace}`);
}

async function itemsOf(get: Get, path: string, scope: ObjectScope | undefined) {
  const accept = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";
  const items: NonNullable<Page["items"]> = [];
  try {
    for (let from: string | undefined = ""; from !== undefined; ) {
      const query: Record<string, string> = { limit: "500", ...(from !== "" && { continue: from }) };
      const page: Page = await get(path, accept, query);
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
    (object) => isLasting(object) && !byItself.test(object.resource) && !own(object),
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
