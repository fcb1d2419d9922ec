import type { KubeObject, WatchEvent } from "@operator-path/client";
import type { ListWatch, PageRequest, WatchRequest } from "../list-watch.ts";

/** Returns a ListWatch for tests that work with objects. The objects travel as JSON, as from a server. */
export function createObjectSource(source: {
  list(
    page: PageRequest,
  ): Promise<{ metadata: { resourceVersion: string; continue?: string }; items: KubeObject[] }>;
  watch(request: WatchRequest, signal: AbortSignal): AsyncIterable<WatchEvent>;
}): ListWatch {
  return {
    async list(page) {
      return Buffer.from(JSON.stringify({ kind: "List", apiVersion: "v1", ...(await source.list(page)) }));
    },
    async watch(request, signal) {
      return lines(source.watch(request, signal));
    },
  };
}

async function* lines(events: AsyncIterable<WatchEvent>): AsyncGenerator<Uint8Array> {
  for await (const event of events) yield Buffer.from(`${JSON.stringify(event)}\n`);
}
