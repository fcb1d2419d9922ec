import { type Client, pathOf, type Resource } from "@operator-path/client";

/** Selects the objects of a resource. */
export interface Selection {
  /** Default: all namespaces. */
  namespace?: string;
  labelSelector?: string;
  fieldSelector?: string;
}

/** Selects one page of a list. Without a limit the list arrives in one piece. */
export interface PageRequest {
  limit?: number;
  continue?: string;
}

export interface WatchRequest {
  /**
   * The watch sends events after this version. "" together with `sendInitialEvents` means the newest version.
   */
  resourceVersion: string;
  /** The server ends the watch after this many seconds. */
  timeoutSeconds: number;
  /**
   * The server first sends an ADDED event for each existing object, then a bookmark that marks their end
   * (KEP-3157).
   */
  sendInitialEvents?: boolean;
}

/**
 * The two requests of a reflector, as bytes (client-go: ListerWatcher). Both reject with ApiError when the
 * server answers with an error.
 */
export interface ListWatch {
  /** Returns the whole response body, a list in JSON. */
  list(page: PageRequest, signal: AbortSignal): Promise<Uint8Array>;
  /**
   * Returns the body of the watch in chunks, as they arrive. The iteration fails when the connection breaks.
   */
  watch(request: WatchRequest, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
}

export interface ListWatchOptions extends Selection {
  /**
   * Requests only the metadata of the objects. A server that does not support this sends whole objects.
   * Default false.
   */
  metadataOnly?: boolean | undefined;
}

export function createListWatch(
  client: Client,
  resource: Resource,
  { namespace, labelSelector, fieldSelector, metadataOnly = false }: ListWatchOptions = {},
): ListWatch {
  const path = pathOf(resource, namespace === undefined ? {} : { namespace });
  const selectors = { labelSelector, fieldSelector };
  const accept = (kind: string) =>
    metadataOnly
      ? { headers: { accept: `application/json;as=${kind};g=meta.k8s.io;v=v1,application/json` } }
      : {};
  return {
    async list(page, signal) {
      const query = { ...selectors, ...page };
      const as = accept("PartialObjectMetadataList");
      const { body } = await client.request({ method: "GET", path, query, signal, ...as });
      return body;
    },
    async watch({ resourceVersion, timeoutSeconds, sendInitialEvents }, signal) {
      const query = {
        ...selectors,
        watch: true,
        allowWatchBookmarks: true,
        timeoutSeconds,
        resourceVersion: resourceVersion || undefined,
        ...(sendInitialEvents && { sendInitialEvents, resourceVersionMatch: "NotOlderThan" }),
      };
      const as = accept("PartialObjectMetadata");
      const { body } = await client.stream({ method: "GET", path, query, signal, ...as });
      return body;
    },
  };
}
