import { badRequest, type Status } from "../errors.ts";
import { negotiate } from "../http/media-type.ts";
import type { ApiRequest } from "../http/request.ts";
import type { ApiObject, JsonObject } from "../json.ts";
import type { StoreEvent } from "../store/history.ts";
import type { StoredObject } from "../store/stored-object.ts";
import { type IncludeObject, type TableMetadata, toTable } from "../table/table.ts";
import type { ApiContext } from "./context.ts";
import type { View } from "./view.ts";

/** meta/v1 ListMeta. */
export interface ListMeta extends JsonObject {
  resourceVersion: string;
  continue?: string;
  remainingItemCount?: number;
}

/** Writes objects of one view as the client asked for them: themselves, a Table, or their metadata. JSON, in pieces. */
export interface Encoder {
  object(stored: StoredObject): Uint8Array[];
  list(items: readonly StoredObject[], meta: ListMeta): Uint8Array[];
  /** A line of a watch. Lines of whole objects are made once for all watchers. */
  event(type: string, stored: StoredObject, origin?: StoreEvent): Uint8Array;
  bookmark(revision: number, endOfInitialEvents: boolean): Uint8Array;
}

export function createEncoder(context: ApiContext, view: View, request: ApiRequest): Encoder {
  const { as } = negotiate(request.headers.accept);
  if (as === "Table") return tableEncoder(context, view, includeObject(request.query));
  return as === "PartialObjectMetadata" ? metadataEncoder(view) : objectEncoder(view);
}

export function errorEvent(status: Status): Uint8Array {
  return line("ERROR", JSON.stringify(status));
}

function line(type: string, object: string): Buffer {
  return Buffer.from(`{"type":"${type}","object":${object}}\n`);
}

/**
 * The line of the latest event, by view: shared by all who watch now. A line of an older event, for those who come back,
 * is made anew.
 */
const lines = new WeakMap<View, { origin: StoreEvent; type: string; bytes: Buffer }>();

function objectEncoder(view: View): Encoder {
  const { type, head } = view;
  const object = (stored: StoredObject) => [Buffer.from(`{${head},`), view.body(stored), Buffer.from("}")];
  const listHead = view.head.replace(`"kind":"${type.kind}"`, `"kind":"${type.listKind}"`);
  // Items of built-in kinds carry no kind and apiVersion, those of custom resources do.
  const itemHead = Buffer.from(type.custom === undefined ? "{" : `{${head},`);
  return {
    object,
    list(items, meta) {
      // Lists of custom resources state that there is no more; those of built-in kinds leave it out.
      const metadata = JSON.stringify(type.custom === undefined ? meta : { continue: "", ...meta });
      const chunks: Uint8Array[] = [Buffer.from(`{${listHead},"metadata":${metadata},"items":[`)];
      for (const [index, item] of items.entries()) {
        if (index > 0) chunks.push(comma);
        chunks.push(itemHead, view.body(item), closing);
      }
      chunks.push(Buffer.from("]}\n"));
      return chunks;
    },
    event(eventType, stored, origin) {
      const known = lines.get(view);
      if (known !== undefined && known.origin === origin && known.type === eventType) return known.bytes;
      const bytes = Buffer.concat([
        Buffer.from(`{"type":"${eventType}","object":{${head},`),
        view.body(stored),
        Buffer.from("}}\n"),
      ]);
      if (origin !== undefined) lines.set(view, { origin, type: eventType, bytes });
      return bytes;
    },
    bookmark: (revision, end) =>
      line("BOOKMARK", `{${head},"metadata":${JSON.stringify(bookmarkMetadata(revision, end))}}`),
  };
}

const comma = Buffer.from(",");
const closing = Buffer.from("}");

function bookmarkMetadata(revision: number, endOfInitialEvents: boolean): JsonObject {
  return {
    resourceVersion: String(revision),
    ...(endOfInitialEvents ? { annotations: { "k8s.io/initial-events-end": "true" } } : {}),
  };
}

function metadataEncoder(view: View): Encoder {
  const head = { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1" };
  const partial = (stored: StoredObject) =>
    JSON.stringify({ ...head, metadata: view.object(stored).metadata });
  return {
    object: (stored) => [Buffer.from(partial(stored))],
    list(items, metadata) {
      const list = { kind: "PartialObjectMetadataList", apiVersion: "meta.k8s.io/v1", metadata };
      return [Buffer.from(`${JSON.stringify(list).slice(0, -1)},"items":[${items.map(partial).join(",")}]}`)];
    },
    event: (eventType, stored) => line(eventType, partial(stored)),
    bookmark: (revision, end) =>
      line("BOOKMARK", JSON.stringify({ ...head, metadata: bookmarkMetadata(revision, end) })),
  };
}

function tableEncoder(context: ApiContext, view: View, include: IncludeObject): Encoder {
  const table = (objects: readonly ApiObject[], metadata: TableMetadata, headers: boolean) => {
    const options = { now: context.clock.now(), includeObject: include, metadata, headers };
    return JSON.stringify(toTable(objects, view.type, context.registry, options));
  };
  let first = true;
  /** The columns are stated in the first event only. */
  function row(object: ApiObject, revision: number): string {
    const text = table([object], { resourceVersion: String(revision) }, first);
    first = false;
    return text;
  }
  return {
    object: (stored) => {
      return [Buffer.from(table([view.object(stored)], { resourceVersion: String(stored.revision) }, true))];
    },
    list: (items, meta) => {
      return [
        Buffer.from(
          table(
            items.map((item) => view.object(item)),
            meta,
            true,
          ),
        ),
      ];
    },
    event: (eventType, stored) => line(eventType, row(view.object(stored), stored.revision)),
    // A bookmark is an object of the kind of which only the version counts: it has a row too.
    bookmark: (revision, end) =>
      line(
        "BOOKMARK",
        row({ apiVersion: "", kind: "", metadata: bookmarkMetadata(revision, end) }, revision),
      ),
  };
}

/** How much of the objects a Table is to hold. */
export function includeObject(query: URLSearchParams): IncludeObject {
  const value = query.get("includeObject") ?? "Metadata";
  if (value === "" || value === "Metadata") return "Metadata";
  if (value === "None" || value === "Object") return value;
  throw badRequest(
    `Unable to convert to Table as requested: includeObject: Invalid value: ${JSON.stringify(value)}: must be 'Metadata', 'Object', 'None', or empty`,
  );
}
