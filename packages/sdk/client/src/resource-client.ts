import { UsageError } from "./errors.ts";
import type { ListMeta, Status } from "./generated/kubernetes-types.ts";
import { splitLines } from "./lines.ts";
import type { PatchBodies } from "./patch-types.ts";
import { apiVersionOf, type KubeObject, pathOf, type Resource } from "./resource.ts";
import type { Transport } from "./transport.ts";
import { decodeWatchEvent, type WatchEvent } from "./watch-event.ts";

/** Options of every request. */
export interface ReadOptions {
  /** Ends the request, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** Configures `ResourceClient.list` (meta/v1 ListOptions). */
export interface ListOptions extends ReadOptions {
  labelSelector?: string | undefined;
  fieldSelector?: string | undefined;
  /** Objects per page. Default: all objects in one response. */
  limit?: number | undefined;
  /**
   * The `continue` token in the metadata of the previous page. The server answers 410 when it has expired.
   */
  continue?: string | undefined;
  resourceVersion?: string | undefined;
  resourceVersionMatch?: "Exact" | "NotOlderThan" | undefined;
}

/** Configures `ResourceClient.watch` (meta/v1 ListOptions). */
export interface WatchOptions extends ReadOptions {
  labelSelector?: string | undefined;
  fieldSelector?: string | undefined;
  /** Only events after this version. Default: starts with an ADDED event for each existing object. */
  resourceVersion?: string | undefined;
  resourceVersionMatch?: "NotOlderThan" | undefined;
  allowWatchBookmarks?: boolean | undefined;
  sendInitialEvents?: boolean | undefined;
  /** Seconds after which the server ends the stream. */
  timeoutSeconds?: number | undefined;
}

/** Configures creates and updates (meta/v1 CreateOptions, UpdateOptions). */
export interface WriteOptions extends ReadOptions {
  fieldManager?: string | undefined;
  /** How the server treats unknown and duplicate fields. The server's default is Warn. */
  fieldValidation?: "Strict" | "Warn" | "Ignore" | undefined;
  /** Whether the server does everything except store the result. Default false. */
  dryRun?: boolean | undefined;
}

/**
 * The type of a patch: JSON Patch (RFC 6902), JSON Merge Patch (RFC 7386), strategic merge patch (built-in
 * kinds only) or server-side apply.
 */
export type PatchType = keyof PatchBodies<KubeObject>;

/** Configures `ResourceClient.patch` (meta/v1 PatchOptions). */
export interface PatchOptions<
  Type extends PatchType = PatchType,
  Subresource extends string | undefined = string | undefined,
> extends WriteOptions {
  type: Type;
  subresource?: Subresource | undefined;
  /** For server-side apply: whether to take over fields that another manager owns. Default false. */
  force?: boolean | undefined;
}

/** Configures deletions (meta/v1 DeleteOptions). */
export interface DeleteOptions extends ReadOptions {
  gracePeriodSeconds?: number | undefined;
  propagationPolicy?: "Background" | "Foreground" | "Orphan" | undefined;
  /** The server answers 409 if the object has another UID or resourceVersion. */
  preconditions?: { uid?: string; resourceVersion?: string } | undefined;
  dryRun?: boolean | undefined;
}

/** A list of objects, or one page of it. `metadata.continue` is set if there are more pages. */
export interface List<T> {
  apiVersion: string;
  kind: string;
  metadata: ListMeta & { resourceVersion: string };
  items: T[];
}

/**
 * The verbs of one resource. It covers all namespaces until `namespace` narrows it.
 *
 * Every method rejects with ApiError when the server refuses the request. It rejects with UsageError before
 * it sends anything if a name is invalid, or if a namespace or the type of a patch is missing. Results are
 * the server's objects, with apiVersion and kind filled in.
 */
export interface ResourceClient<T extends KubeObject> {
  /** Returns the verbs for one namespace. "" means all namespaces. */
  namespace(namespace: string): ResourceClient<T>;
  /** Returns one object. Rejects with a 404 (`isNotFound`) if it does not exist. */
  get(name: string, options?: ReadOptions): Promise<T>;
  /** Returns the selected objects, or one page of them. */
  list(options?: ListOptions): Promise<List<T>>;
  /**
   * Yields the events of a watch. Ends when the server closes the stream, and throws when the connection
   * breaks. Does not reconnect; informers do.
   */
  watch(options?: WatchOptions): AsyncIterable<WatchEvent<T>>;
  /**
   * Creates an object, in the client's namespace or in its `metadata.namespace`. Returns it as the server
   * stored it. Rejects with a 409 (`isAlreadyExists`) if the name is taken.
   */
  create(object: T, options?: WriteOptions): Promise<T>;
  /** Replaces an object. Rejects with a 409 (`isConflict`) if its resourceVersion has changed meanwhile. */
  update(object: T, options?: WriteOptions): Promise<T>;
  /** Replaces the status of an object, and nothing else of it. Rejects as `update` does. */
  updateStatus(object: T, options?: WriteOptions): Promise<T>;
  /**
   * Patches an object, or one of its subresources. The body of the patch of a subresource other than status
   * is not checked, because it has another kind: `scale` takes a patch of a Scale.
   */
  patch<Type extends PatchType, Subresource extends string | undefined = undefined>(
    name: string,
    patch: Subresource extends undefined | "status" ? PatchBodies<T>[Type] : unknown,
    options: PatchOptions<Type, Subresource>,
  ): Promise<T>;
  /**
   * Deletes an object. Resolves with the object if the deletion waits for finalizers or a grace period,
   * otherwise with a Status.
   */
  delete(name: string, options?: DeleteOptions): Promise<T | Status>;
  /** Deletes the selected objects of the collection. Without a selector, it deletes all of them. */
  deleteCollection(
    options?: DeleteOptions & Pick<ListOptions, "labelSelector" | "fieldSelector">,
  ): Promise<void>;
  /** Returns a subresource, such as the Scale of a Deployment. */
  getSubresource<S>(name: string, subresource: string, options?: ReadOptions): Promise<S>;
  /** Creates a subresource, such as an Eviction of a Pod. */
  createSubresource<S>(name: string, subresource: string, body: unknown, options?: WriteOptions): Promise<S>;
  /** Replaces a subresource, such as the Scale of a Deployment. */
  updateSubresource<S>(name: string, subresource: string, body: unknown, options?: WriteOptions): Promise<S>;
}

const patchContentTypes: Record<PatchType, string> = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  apply: "application/apply-patch+yaml",
};

export function createResourceClient<T extends KubeObject>(
  transport: Transport,
  resource: Resource<T>,
  namespace?: string,
): ResourceClient<T> {
  /** Returns the path of the collection that this client covers. */
  const collection = () => pathOf(resource, { namespace });

  /**
   * Returns the path of one object, or the path for its creation.
   *
   * @throws UsageError if its namespace is missing
   */
  function at(name?: string, subresource?: string, objectNamespace = namespace): string {
    if (resource.namespaced && !objectNamespace) {
      throw new UsageError(
        `a ${resource.kind} is namespaced: set the namespace with .namespace(…) or in metadata.namespace`,
      );
    }
    return pathOf(resource, { namespace: objectNamespace, name, subresource });
  }

  async function send<S>(
    method: string,
    path: string,
    options: {
      query?: Record<string, string | number | boolean | undefined>;
      body?: unknown;
      signal?: AbortSignal;
      contentType?: string;
    },
  ): Promise<S> {
    const { contentType, ...rest } = options;
    const headers = contentType ? { "content-type": contentType } : undefined;
    const response = await transport.request({ method, path, ...(headers ? { headers } : {}), ...rest });
    return parse(response.body, method, path) as S;
  }

  // A client of all namespaces takes the namespace of a create or update from the object.
  function pathFor(object: T, name?: string, subresource?: string): string {
    return at(name, subresource, namespace || (resource.namespaced ? object.metadata?.namespace : undefined));
  }

  const self: ResourceClient<T> = {
    namespace: (name) => createResourceClient(transport, resource, name),
    get: async (name, options = {}) => send("GET", at(name), { signal: options.signal }),
    async list({ signal, ...query } = {}) {
      const list = await send<List<T>>("GET", collection(), { query, signal });
      return withTypes(list, resource);
    },
    async *watch({ signal, ...query } = {}) {
      const request = { method: "GET", path: collection(), query: { ...query, watch: true }, signal };
      const { body } = await transport.stream(request);
      try {
        for await (const line of splitLines(body)) yield decodeWatchEvent<T>(line);
      } catch (error) {
        signal?.throwIfAborted();
        throw error;
      }
    },
    create: async (object, options = {}) =>
      send("POST", pathFor(object), {
        query: writeQuery(options),
        body: typed(object, resource),
        signal: options.signal,
      }),
    update: async (object, options = {}) =>
      send("PUT", pathFor(object, nameOf(object)), {
        query: writeQuery(options),
        body: typed(object, resource),
        signal: options.signal,
      }),
    updateStatus: async (object, options = {}) =>
      send("PUT", pathFor(object, nameOf(object), "status"), {
        query: writeQuery(options),
        body: typed(object, resource),
        signal: options.signal,
      }),
    async patch(name, patch, options) {
      const contentType = patchContentType(options, resource, name);
      return send("PATCH", at(name, options.subresource), {
        query: { ...writeQuery(options), force: options.force },
        body: patch,
        contentType,
        signal: options.signal,
      });
    },
    delete: async (name, { signal, ...options } = {}) =>
      send("DELETE", at(name), { body: deleteBody(options), signal }),
    async deleteCollection({ signal, labelSelector, fieldSelector, ...options } = {}) {
      await send("DELETE", collection(), {
        query: { labelSelector, fieldSelector },
        body: deleteBody(options),
        signal,
      });
    },
    getSubresource: async (name, subresource, options = {}) =>
      send("GET", at(name, subresource), { signal: options.signal }),
    createSubresource: async (name, subresource, body, options = {}) =>
      send("POST", at(name, subresource), { query: writeQuery(options), body, signal: options.signal }),
    updateSubresource: async (name, subresource, body, options = {}) =>
      send("PUT", at(name, subresource), { query: writeQuery(options), body, signal: options.signal }),
  };
  return self;
}

function writeQuery(options: WriteOptions) {
  return {
    fieldManager: options.fieldManager,
    fieldValidation: options.fieldValidation,
    dryRun: options.dryRun ? "All" : undefined,
  };
}

/** @throws UsageError when the type is missing or unknown, which only unchecked JavaScript can do */
function patchContentType(
  options: Partial<PatchOptions> | undefined,
  { kind }: Resource,
  name: string,
): string {
  const type = options?.type;
  if (type !== undefined && Object.hasOwn(patchContentTypes, type)) return patchContentTypes[type];
  const what =
    type === undefined
      ? `the type of the patch of ${kind} ${JSON.stringify(name)} is missing`
      : `${JSON.stringify(type)} is not a patch type`;
  throw new UsageError(
    `${what}: pass { type: "merge" } (or "json", "strategic", "apply") as the third argument`,
  );
}

function deleteBody({ dryRun, ...options }: Omit<DeleteOptions, "signal">) {
  return { apiVersion: "v1", kind: "DeleteOptions", ...options, ...(dryRun ? { dryRun: ["All"] } : {}) };
}

function nameOf(object: KubeObject): string {
  const name = object.metadata?.name;
  if (!name) throw new UsageError(`an update of a ${object.kind ?? "object"} needs metadata.name`);
  return name;
}

function typed<T extends KubeObject>(object: T, resource: Resource): T {
  return { apiVersion: apiVersionOf(resource), kind: resource.kind, ...object };
}

/** The items of a built-in list have no apiVersion and kind on the wire. Only the list itself has them. */
function withTypes<T extends KubeObject>(list: List<T>, resource: Resource): List<T> {
  const apiVersion = apiVersionOf(resource);
  const items = (list.items ?? []).map((item) =>
    item.apiVersion ? item : Object.assign(item, { apiVersion, kind: resource.kind }),
  );
  return { ...list, items };
}

function parse(body: Uint8Array, method: string, path: string): unknown {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8");
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(`${method} ${path}: the response is not JSON: ${text.slice(0, 200)}`, { cause });
  }
}
