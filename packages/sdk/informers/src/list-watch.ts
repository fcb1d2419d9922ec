import { type Client, pathOf, type Resource } from "@operator-path/client";

/** Which objects of a resource. */
export interface Selection {
  /** Default: all namespaces. */
  namespace?: string;
  labelSelector?: string;
  fieldSelector?: string;
}

/** Which page of a list; without a limit, all of it. */
export interface PageRequest {
  limit?: number;
  continue?: string;
}

export interface WatchRequest {
  /** Events after it. "" with `sendInitialEvents`: the newest there is. */
  resourceVersion: string;
  /** The server ends the watch after so long. */
  timeoutSeconds: number;
  /** First an ADDED for each object that there is, then a bookmark that says so (KEP-3157). */
  sendInitialEvents?: boolean;
}

/** The two requests of a reflector, as bytes (client-go: ListerWatcher). Both reject with ApiError on a refusal. */
export interface ListWatch {
  /** The whole response: a list in JSON. */
  list(page: PageRequest, signal: AbortSignal): Promise<Uint8Array>;
  /** The watch's lines in chunks, as they arrive; fails when the connection breaks. */
  watch(request: WatchRequest, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
}

export interface ListWatchOptions extends Selection {
  /** Ask for nothing but the objects' metadata; a server that does not know how sends all of them. */
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
