import {
  apiVersionOf,
  type Client,
  decodeWatchEvent,
  type KubeObject,
  type List,
  pathOf,
  type Resource,
  splitLines,
  type WatchEvent,
} from "@operator-path/client";

/** Which objects of a resource. */
export interface Selection {
  /** Default: all namespaces. */
  namespace?: string;
  labelSelector?: string;
  fieldSelector?: string;
}

/** The two requests of a reflector, each from bytes to objects (client-go: ListerWatcher). */
export interface ListWatch<T extends KubeObject> {
  listPage(page: { limit?: number; continue?: string }, signal: AbortSignal): Promise<List<T>>;
  /** `onBytes` is called for whatever arrives, so that a silent connection can be told from a quiet resource. */
  watch(
    options: { resourceVersion: string; timeoutSeconds: number; onBytes(): void },
    signal: AbortSignal,
  ): AsyncIterable<WatchEvent<T>>;
}

export function createListWatch<T extends KubeObject>(
  client: Client,
  resource: Resource<T>,
  { namespace, labelSelector, fieldSelector }: Selection = {},
): ListWatch<T> {
  const path = pathOf(resource, namespace === undefined ? {} : { namespace });
  const selectors = { labelSelector, fieldSelector };
  return {
    async listPage(page, signal) {
      const { body } = await client.request({
        method: "GET",
        path,
        query: { ...selectors, ...page },
        signal,
      });
      return decodeList(body, resource);
    },
    async *watch({ onBytes, ...options }, signal) {
      const query = { ...selectors, ...options, watch: true, allowWatchBookmarks: true };
      const { body } = await client.stream({ method: "GET", path, query, signal });
      try {
        for await (const line of splitLines(heard(body, onBytes))) yield decodeWatchEvent<T>(line);
      } catch (error) {
        // A stream that was aborted says so, and not why: the signal knows.
        signal.throwIfAborted();
        throw isSocketError(error)
          ? new Error(`the watch broke off: ${error.message}`, { cause: error })
          : error;
      }
    },
  };
}

/** Of a connection that breaks in the middle of a response, node says no more than "aborted". */
function isSocketError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "code" in error && typeof error.code === "string";
}

async function* heard(chunks: AsyncIterable<Uint8Array>, onBytes: () => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    onBytes();
    yield chunk;
  }
}

/** Items of a built-in list carry no apiVersion and kind on the wire: the list says it for all. */
function decodeList<T extends KubeObject>(body: Uint8Array, resource: Resource<T>): List<T> {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8");
  const list = JSON.parse(text) as List<T>;
  if (!list.metadata?.resourceVersion) {
    throw new SyntaxError(`the list of ${resource.plural} has no resourceVersion: ${text.slice(0, 100)}`);
  }
  const types = { apiVersion: apiVersionOf(resource), kind: resource.kind };
  list.items = (list.items ?? []).map((item) => (item.apiVersion ? item : Object.assign(item, types)));
  return list;
}
