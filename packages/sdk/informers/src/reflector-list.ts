import { isGone } from "@operator-path/client";
import type { ListWatch, PageRequest } from "./list-watch.ts";
import { slice } from "./slice.ts";
import type { ReflectorSink } from "./store/sink.ts";
import { type ListSpan, scanListInSteps } from "./wire/list-scan.ts";

export interface ListOptions {
  /** Objects per page. */
  pageSize: number;
  /** Called for each page before its items reach the sink. If it throws, the list ends. */
  onPage(page: ListSpan): void;
  /** The sink accepts objects that are older than its own. */
  acceptOlder: boolean;
}

/**
 * Lists into a sink, page by page. The next page is requested as soon as its continue token is read, before
 * the items are processed. If the list's version expires between two pages, the list is requested once more
 * in one piece, which cannot expire (client-go: pager, FullListIfExpired).
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

/** The version expired between two pages. Another list in pages would expire too. */
class PageExpired extends Error {}

async function putPages(
  sink: ReflectorSink,
  source: ListWatch,
  first: PageRequest,
  { onPage, acceptOlder }: ListOptions,
  signal: AbortSignal,
): Promise<string> {
  // When the list ends for any reason, also cancel the request for a page that is no longer needed.
  const ended = new AbortController();
  const either = AbortSignal.any([signal, ended.signal]);
  let next: Promise<Uint8Array> | undefined = source.list(first, either);
  sink.begin(acceptOlder);
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
    // The result is awaited only after the items of this page. Until then a rejection must not count as
    // unhandled.
    page.catch(() => {});
    return page;
  }
}
