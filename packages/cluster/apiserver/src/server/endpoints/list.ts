import { badRequest, expired, tooLargeResourceVersion } from "../../apimachinery/errors.ts";
import { bytesReply, type Reply } from "../http/reply.ts";
import { type ListOptions, parseListOptions, parseResourceVersion } from "../registry/options.ts";
import type { Scope } from "../registry/scope.ts";
import { select } from "../registry/selection.ts";
import type { KindLookup } from "../registry/strategy.ts";
import type { View } from "../registry/view.ts";
import { decodeContinue, encodeContinue } from "../storage/continue-token.ts";
import { CompactedError, type RangeOptions, type Store } from "../storage/store.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import { createEncoder, type Encoder, type ListMeta, type TableContext } from "./encoder.ts";

/** A part of a collection at one revision. */
export interface ListResult {
  items: StoredObject[];
  meta: ListMeta;
}

/** The parts of the server that a list uses. */
interface ListContext {
  readonly store: Pick<Store, "range" | "revision">;
  readonly kindOf: KindLookup;
}

/**
 * Lists objects, in chunks of `limit`. All chunks of a list show the revision of the first one, which is in
 * the continue token. The store is always current, so "any" and "not older than" return the latest revision.
 */
export function listObjects(context: ListContext, scope: Scope, options: ListOptions): ListResult {
  const { store } = context;
  const selection = select(scope, context.kindOf(scope.type), options);
  const { from, revision, pinned } = startOf(context, scope, options);
  const range: RangeOptions = { prefix: selection.prefix, ...(from === "" ? {} : { from }) };
  const all = readRange(context, scope, pinned ? { ...range, revision } : range, from);
  const limit = options.limit > 0 ? options.limit : Number.POSITIVE_INFINITY;
  const items: StoredObject[] = [];
  const meta: ListMeta = { resourceVersion: String(pinned ? revision : store.revision) };
  for (const [index, stored] of all.entries()) {
    if (!selection.everything && !selection.matches(stored.object)) continue;
    if (items.length === limit) {
      const last = items.at(-1) as StoredObject;
      meta.continue = encodeContinue({ revision: Number(meta.resourceVersion), from: `${last.key}\0` });
      // With a selector, the number of remaining matches is unknown.
      if (selection.everything) meta.remainingItemCount = all.length - index;
      break;
    }
    items.push(stored);
  }
  return { items, meta };
}

interface ListStart {
  from: string;
  revision: number;
  /** Whether the list must show exactly this revision. */
  pinned: boolean;
}

function startOf(context: ListContext, scope: Scope, options: ListOptions): ListStart {
  const requested = parseResourceVersion(options.resourceVersion);
  if (options.continue !== "") {
    const token = decodeContinue(options.continue);
    if (requested !== 0) throw badRequest("specifying resource version is not allowed when using continue");
    const namespace = scope.type.namespaced && scope.namespace !== "" ? `${scope.namespace}/` : "";
    if (!token.from.startsWith(namespace))
      throw badRequest("invalid continue token: continue key is not valid");
    checkReached(token.revision, context.store.revision);
    return { from: token.from, revision: token.revision, pinned: token.revision > 0 };
  }
  checkReached(requested, context.store.revision);
  const exact =
    options.resourceVersionMatch === "Exact" ||
    (options.resourceVersionMatch === "" && options.limit > 0 && requested > 0);
  return { from: "", revision: requested, pinned: exact };
}

function checkReached(requested: number, current: number): void {
  if (requested > current) throw tooLargeResourceVersion(requested, current);
}

function readRange(context: ListContext, scope: Scope, range: RangeOptions, from: string): StoredObject[] {
  try {
    return context.store.range(scope.collection, range);
  } catch (error) {
    if (!(error instanceof CompactedError)) throw error;
    if (from === "") throw expired("The resourceVersion for the provided list is too old.");
    throw expired(continueExpired, encodeContinue({ revision: -1, from }));
  }
}

const continueExpired =
  "The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.";

export async function handleList(
  context: ListContext & TableContext,
  scope: Scope,
  view: View,
): Promise<Reply> {
  const encoder = createEncoder(context, view, scope.request);
  const { items, meta } = listObjects(context, scope, parseListOptions(scope.request.query));
  await view.ready(items);
  return listReply(encoder, items, meta);
}

/** Lists with more bytes are streamed. It is also how much may wait for a slow client. */
const streamedBytes = 256 * 1024;

/** Sends a short list at once, and a long one at its client's speed: items are encoded when they are sent. */
export function listReply(encoder: Encoder, items: readonly StoredObject[], meta: ListMeta): Reply {
  const pieces = encoder.list(items, meta)[Symbol.iterator]();
  const first: Uint8Array[] = [];
  for (let size = 0; size <= streamedBytes; ) {
    const piece = pieces.next();
    if (piece.done) return bytesReply(200, first);
    first.push(piece.value);
    size += piece.value.length;
  }
  return {
    status: 200,
    headers: { "content-type": "application/json" },
    kind: "list",
    async stream(sink) {
      for (const piece of first) sink.write(piece);
      for (let piece = pieces.next(); !piece.done; piece = pieces.next()) {
        sink.write(piece.value);
        if (sink.pending > streamedBytes) await sink.drained();
      }
    },
  };
}
