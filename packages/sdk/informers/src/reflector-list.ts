import { isGone } from "@operator-path/client";
import type { ListWatch, PageRequest } from "./list-watch.ts";
import type { ReflectorSink } from "./reflector-sink.ts";
import { slice } from "./slice.ts";
import { type ListSpan, scanListInSteps } from "./wire/list-scan.ts";

export interface ListOptions {
  /** Objects a page. */
  pageSize: number;
  /** Told of a page before its items are put into the sink; what it throws ends the list. */
  onPage(page: ListSpan): void;
  /** The sink is to take objects that are older than those it has. */
  isOlderTrusted: boolean;
}

/**
 * Puts a whole list into a sink, page by page: the next page is asked for as soon as the continue token is read, before
 * the items are. A list whose version is forgotten between its pages is asked for once more, in one piece, which cannot
 * expire (client-go: pager, FullListIfExpired).
 *
 * @returns the list's resourceVersion
 */
export async function listInto(
  sink: ReflectorSink,
  source: ListWatch,
  options: ListOptions,
  signal: AbortSignal,
): Promise<string> {
  try {
    return await putPages(sink, source, { limit: options.pageSize }, options, signal);
  } catch (error) {
    if (!(error instanceof PageExpired)) throw error;
    return await putPages(sink, source, {}, options, signal);
  }
}

async function scanned(bytes: Uint8Array): Promise<ListSpan> {
  const scan = scanListInSteps(bytes);
  for (;;) {
    const { done, value } = scan.next();
    if (done) return value;
    if (slice.isOver()) await slice.next();
  }
}

/** The version of the pages was forgotten on the way, as it would be the next time. */
class PageExpired extends Error {}

async function putPages(
  sink: ReflectorSink,
  source: ListWatch,
  first: PageRequest,
  { onPage, isOlderTrusted }: ListOptions,
  signal: AbortSignal,
): Promise<string> {
  // Whatever ends the list also ends the request for a page that nobody will read.
  const ended = new AbortController();
  const either = AbortSignal.any([signal, ended.signal]);
  let next: Promise<Uint8Array> | undefined = source.list(first, either);
  sink.begin(isOlderTrusted);
  try {
    for (;;) {
      const bytes: Uint8Array = await next;
      slice.begin();
      const page = await scanned(bytes);
      if (page.resourceVersion === "") {
        throw new SyntaxError(`the list has no resourceVersion: ${Buffer.from(bytes.subarray(0, 100))}`);
      }
      onPage(page);
      next = page.continue === "" ? undefined : more(page.continue);
      for (const item of page.items) {
        sink.put(bytes, item);
        if (slice.isOver()) await slice.next();
      }
      if (next === undefined) {
        sink.end();
        return page.resourceVersion;
      }
    }
  } finally {
    ended.abort();
  }

  function more(token: string): Promise<Uint8Array> {
    const page = source.list({ limit: first.limit, continue: token }, either).catch((error: unknown) => {
      throw isGone(error) && first.limit !== undefined ? new PageExpired() : error;
    });
    // Nobody waits for it before the items of this page are done.
    page.catch(() => {});
    return page;
  }
}
