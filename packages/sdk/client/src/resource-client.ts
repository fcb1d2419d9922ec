import { UsageError } from "./errors.ts";
import type { ListMeta, Status } from "./generated/kubernetes-types.ts";
import { splitLines } from "./lines.ts";
import type { PatchBodies } from "./patch-types.ts";
import { apiVersionOf, type KubeObject, pathOf, type Resource } from "./resource.ts";
import type { Transport } from "./transport.ts";
import { decodeWatchEvent, type WatchEvent } from "./watch-event.ts";

export interface ReadOptions {
  signal?: AbortSignal | undefined;
}

export interface ListOptions extends ReadOptions {
  labelSelector?: string | undefined;
  fieldSelector?: string | undefined;
  /** Objects a page; without it, all in one response. */
  limit?: number | undefined;
  /** From the metadata of the page before. 410 when it has expired. */
  continue?: string | undefined;
  resourceVersion?: string | undefined;
  resourceVersionMatch?: "Exact" | "NotOlderThan" | undefined;
}

export interface WatchOptions extends ReadOptions {
  labelSelector?: string | undefined;
  fieldSelector?: string | undefined;
  /** Events after this version; without it, first an ADDED for each object that exists. */
  resourceVersion?: string | undefined;
  resourceVersionMatch?: "NotOlderThan" | undefined;
  allowWatchBookmarks?: boolean | undefined;
  sendInitialEvents?: boolean | undefined;
  /** The server ends the stream after so long. */
  timeoutSeconds?: number | undefined;
}

export interface WriteOptions extends ReadOptions {
  fieldManager?: string | undefined;
  /** What the server does with fields it does not know. Its own default is Warn. */
  fieldValidation?: "Strict" | "Warn" | "Ignore" | undefined;
  /** Do everything but store it. */
  dryRun?: boolean | undefined;
}

/** JSON Patch (RFC 6902), JSON Merge Patch (RFC 7386), strategic merge patch (built-in kinds), server-side apply. */
export type PatchType = keyof PatchBodies<KubeObject>;

export interface PatchOptions<
  Type extends PatchType = PatchType,
  Subresource extends string | undefined = string | undefined,
> extends WriteOptions {
  type: Type;
  subresource?: Subresource | undefined;
  /** Server-side apply: take over fields that another manager owns. */
  force?: boolean | undefined;
}

/** meta/v1 DeleteOptions. */
export interface DeleteOptions extends ReadOptions {
  gracePeriodSeconds?: number | undefined;
  propagationPolicy?: "Background" | "Foreground" | "Orphan" | undefined;
  /** 409 when the object is another one, or has changed. */
  preconditions?: { uid?: string; resourceVersion?: string } | undefined;
  dryRun?: boolean | undefined;
}

export interface List<T> {
  apiVersion: string;
  kind: string;
  metadata: ListMeta & { resourceVersion: string };
  items: T[];
}

/**
 * The verbs of one resource, in all namespaces (or of a cluster-scoped one) until `namespace` narrows it; "" is all of
 * them too. Every method rejects with ApiError when the server refuses, and with TypeError, before anything is sent, when
 * a name is invalid, or a namespace or the type of a patch is missing. Objects are what the server sent, with
 * apiVersion and kind filled in.
 */
export interface ResourceClient<T extends KubeObject> {
  namespace(namespace: string): ResourceClient<T>;
  get(name: string, options?: ReadOptions): Promise<T>;
  list(options?: ListOptions): Promise<List<T>>;
  /** Ends when the server closes the stream, throws when the connection breaks. Does not reconnect: informers do. */
  watch(options?: WatchOptions): AsyncIterable<WatchEvent<T>>;
  create(object: T, options?: WriteOptions): Promise<T>;
  /** 409 (isConflict) when the object has another resourceVersion by now. */
  update(object: T, options?: WriteOptions): Promise<T>;
  updateStatus(object: T, options?: WriteOptions): Promise<T>;
  /** The patch of another subresource than status may have any type: that of a scale patches a Scale. */
  patch<Type extends PatchType, Subresource extends string | undefined = undefined>(
    name: string,
    patch: Subresource extends undefined | "status" ? PatchBodies<T>[Type] : unknown,
    options: PatchOptions<Type, Subresource>,
  ): Promise<T>;
  /** Resolves with the object while it is being deleted (finalizers, grace period), else with a Status. */
  delete(name: string, options?: DeleteOptions): Promise<T | Status>;
  deleteCollection(
    options?: DeleteOptions & Pick<ListOptions, "labelSelector" | "fieldSelector">,
  ): Promise<void>;
  getSubresource<S>(name: string, subresource: string, options?: ReadOptions): Promise<S>;
  createSubresource<S>(name: string, subresource: string, body: unknown, options?: WriteOptions): Promise<S>;
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
  /** The collection, as far as this client sees it. */
  const collection = () => pathOf(resource, { namespace });

  /** One object, or where it is created. @throws TypeError when it should have a namespace and has none */
  function at(name?: string, subresource?: string, home = namespace): string {
    if (resource.namespaced && !home) {
      throw new UsageError(
        `a ${resource.kind} lives in a namespace: say which with .namespace(…), or in metadata.namespace`,
      );
    }
    return pathOf(resource, { namespace: home, name, subresource });
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

  // A namespaced object is created and updated where it says it lives, also through a client of all namespaces.
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

/** @throws UsageError when a caller that the compiler does not check gives no type, or one that does not exist */
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
      : `${JSON.stringify(type)} is not a type of patch`;
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

/** Items of a built-in list carry no apiVersion and kind on the wire: the list says it for all. */
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
