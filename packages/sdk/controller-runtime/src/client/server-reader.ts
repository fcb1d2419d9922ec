import {
  type Client,
  type Frozen,
  isGone,
  type KubeObject,
  type List,
  pathOf,
  type Resource,
  UsageError,
} from "@operator-path/client";
import { isMetadataOnly, partialOf } from "./metadata-only.ts";
import type { ObjectKey } from "./object-key.ts";
import type { GetOptions, ListOptions, Reader } from "./reader.ts";
import { selectorsOf } from "./selector-text.ts";

/** Objects per page, the same as client-go's pager. */
const pageSize = 500;

/**
 * Creates a reader that asks the server. Its objects are not shared: the caller may change them.
 * Go: client.New without a cache, and a manager's GetAPIReader.
 */
export function createServerReader(connection: Client): Reader {
  return {
    async get<T extends KubeObject>(
      resource: Resource<T>,
      { namespace = "", name }: ObjectKey,
      { signal }: GetOptions = {},
    ) {
      if (resource.namespaced && namespace === "") {
        throw new UsageError(
          `a ${resource.kind} is namespaced: set the namespace in the key of ${JSON.stringify(name)}`,
        );
      }
      const home = resource.namespaced ? namespace : "";
      if (isMetadataOnly(resource)) {
        return partial(resource, await metadataOf(resource, { namespace: home, name }, signal)) as Frozen<T>;
      }
      const read = await connection.resource(resource).namespace(home).get(name, optional(signal));
      return read as Frozen<T>;
    },
    async list<T extends KubeObject>(resource: Resource<T>, options: ListOptions = {}) {
      try {
        return (await listPages(resource, options)) as Frozen<T>[];
      } catch (error) {
        // The continue token has expired (410). List everything in one request.
        if (!isGone(error)) throw error;
        const { items } = await page(resource, options, {});
        return (options.limit ? items.slice(0, options.limit) : items) as Frozen<T>[];
      }
    },
  };

  async function listPages<T extends KubeObject>(resource: Resource<T>, options: ListOptions): Promise<T[]> {
    const { limit = Number.POSITIVE_INFINITY } = options;
    const objects: T[] = [];
    let next: string | undefined;
    do {
      const size = Math.min(pageSize, limit - objects.length);
      const { items, metadata } = await page(resource, options, {
        limit: size,
        ...(next ? { continue: next } : {}),
      });
      objects.push(...items);
      next = metadata.continue;
    } while (next && objects.length < limit);
    return objects;
  }

  async function page<T extends KubeObject>(
    resource: Resource<T>,
    options: ListOptions,
    paging: { limit?: number; continue?: string },
  ): Promise<List<T>> {
    const { namespace = "", signal } = options;
    const home = resource.namespaced ? namespace : "";
    const query = { ...selectorsOf(options), ...paging };
    if (isMetadataOnly(resource)) {
      const list = await metadataOf<List<T>>(resource, { namespace: home }, signal, query);
      return { ...list, items: (list.items ?? []).map((item) => partial(resource, item)) };
    }
    return connection
      .resource(resource)
      .namespace(home)
      .list({ ...query, ...optional(signal) });
  }

  /** A server that does not support partial metadata sends whole objects, which also works. */
  async function metadataOf<A>(
    resource: Resource,
    at: { namespace: string; name?: string },
    signal: AbortSignal | undefined,
    query: Record<string, string | number | undefined> = {},
  ): Promise<A> {
    const kind = at.name === undefined ? "PartialObjectMetadataList" : "PartialObjectMetadata";
    const headers = { accept: `application/json;as=${kind};g=meta.k8s.io;v=v1,application/json` };
    const request = { method: "GET", path: pathOf(resource, at), query, headers, ...optional(signal) };
    const { body } = await connection.request(request);
    return JSON.parse(Buffer.from(body).toString("utf8")) as A;
  }
}

/** The objects of a metadata-only resource are of this type. */
function partial<T extends KubeObject>(resource: Resource<T>, object: T): T {
  return partialOf(resource, object) satisfies KubeObject as T;
}

function optional(signal: AbortSignal | undefined): { signal?: AbortSignal } {
  return signal ? { signal } : {};
}
