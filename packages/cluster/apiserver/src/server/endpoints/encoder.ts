import { badRequest, type Status } from "../../apimachinery/errors.ts";
import type { Clock } from "../../lib/clock.ts";
import type { ApiObject, JsonObject } from "../../lib/json/json.ts";
import { negotiate } from "../http/media-type.ts";
import type { ApiRequest } from "../http/request.ts";
import type { KindLookup } from "../registry/strategy.ts";
import type { View } from "../registry/view.ts";
import type { StoreEvent } from "../storage/history.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import { type IncludeObject, type TableMetadata, toTable } from "../table/table.ts";
import type { TypeRegistry } from "../types/registry.ts";

/** meta/v1 ListMeta. */
export interface ListMeta extends JsonObject {
  resourceVersion: string;
  continue?: string;
  remainingItemCount?: number;
}

/**
 * Encodes objects of one view in the client's representation (objects, a Table or metadata), as JSON in
 * pieces.
 */
export interface Encoder {
  /** Whether each client gets its own encoding. If false, clients share the encoding of large objects. */
  readonly copies: boolean;
  object(stored: StoredObject): Uint8Array[];
  /** Encodes each item when its piece is read. */
  list(items: readonly StoredObject[], meta: ListMeta): Iterable<Uint8Array>;
  /**
   * Returns a line of a watch. All watchers share the lines of small objects, and the encoded object of large
   * ones.
   */
  event(type: string, stored: StoredObject, origin?: StoreEvent): readonly Uint8Array[];
  bookmark(revision: number, endOfInitialEvents: boolean): Uint8Array;
}

/** The parts of the server that Tables use: ages depend on the time, and columns on the kind. */
export interface TableContext {
  readonly clock: Clock;
  readonly registry: Pick<TypeRegistry, "columns" | "definition">;
  readonly kindOf: KindLookup;
}

export function createEncoder(context: TableContext, view: View, request: ApiRequest): Encoder {
  const { as } = negotiate(request.headers.accept, view.type.custom === undefined);
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
 * The line of the latest event by view, shared by all current watchers. A line of an older event is encoded
 * again for clients that resume.
 */
const lines = new WeakMap<View, { origin: StoreEvent; type: string; bytes: Uint8Array[] }>();

/** A line with a larger object is not copied into one Buffer. */
const largeBody = 16 * 1024;

function objectEncoder(view: View): Encoder {
  const { type, head } = view;
  const object = (stored: StoredObject) => [Buffer.from(`{${head},`), view.body(stored), Buffer.from("}")];
  const listHead = view.head.replace(`"kind":"${type.kind}"`, `"kind":"${type.listKind}"`);
  // Items of built-in kinds have no kind and apiVersion. Those of custom resources do.
  const firstHead = type.custom === undefined ? "{" : `{${head},`;
  const itemHead = Buffer.from(firstHead);
  const nextItemHead = Buffer.from(`},${firstHead}`);
  return {
    copies: false,
    object,
    *list(items, meta) {
      // A list of custom resources has an empty `continue` at its end. One of built-in kinds omits it.
      const metadata = JSON.stringify(type.custom === undefined ? meta : { continue: "", ...meta });
      yield Buffer.from(`{${listHead},"metadata":${metadata},"items":[`);
      for (const [index, item] of items.entries()) {
        yield index === 0 ? itemHead : nextItemHead;
        yield view.body(item);
      }
      yield Buffer.from(items.length === 0 ? "]}\n" : "}]}\n");
    },
    event(eventType, stored, origin) {
      const known = lines.get(view);
      if (known !== undefined && known.origin === origin && known.type === eventType) return known.bytes;
      const body = view.body(stored);
      const pieces = [Buffer.from(`{"type":"${eventType}","object":{${head},`), body, endOfLine];
      if (body.length > largeBody) return pieces;
      const bytes = [Buffer.concat(pieces)];
      if (origin !== undefined) lines.set(view, { origin, type: eventType, bytes });
      return bytes;
    },
    bookmark: (revision, end) =>
      line("BOOKMARK", `{${head},"metadata":${JSON.stringify(bookmarkMetadata(revision, end))}}`),
  };
}

const endOfLine = Buffer.from("}}\n");

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
    copies: true,
    object: (stored) => [Buffer.from(partial(stored))],
    *list(items, metadata) {
      const list = { kind: "PartialObjectMetadataList", apiVersion: "meta.k8s.io/v1", metadata };
      yield Buffer.from(`${JSON.stringify(list).slice(0, -1)},"items":[`);
      yield* inGroups(items, (group) => group.map(partial).join(","));
      yield Buffer.from("]}");
    },
    event: (eventType, stored) => [line(eventType, partial(stored))],
    bookmark: (revision, end) =>
      line("BOOKMARK", JSON.stringify({ ...head, metadata: bookmarkMetadata(revision, end) })),
  };
}

function tableEncoder(context: TableContext, view: View, include: IncludeObject): Encoder {
  const columns = context.kindOf(view.type).columns(context.registry);
  const table = (objects: readonly ApiObject[], metadata: TableMetadata, headers: boolean) => {
    const options = { now: context.clock.now(), includeObject: include, metadata, headers };
    return toTable(objects, columns, options);
  };
  let first = true;
  /** Only the first event contains the columns. */
  function row(object: ApiObject, revision: number): string {
    const text = JSON.stringify(table([object], { resourceVersion: String(revision) }, first));
    first = false;
    return text;
  }
  return {
    copies: true,
    object: (stored) => {
      const metadata = { resourceVersion: String(stored.revision) };
      return [Buffer.from(JSON.stringify(table([view.object(stored)], metadata, true)))];
    },
    *list(items, meta) {
      // The rows are the last field of a Table.
      yield Buffer.from(JSON.stringify(table([], meta, true)).slice(0, -"]}".length));
      yield* inGroups(items, (group) => {
        const { rows } = table(
          group.map((item) => view.object(item)),
          meta,
          false,
        );
        return JSON.stringify(rows).slice(1, -1);
      });
      yield Buffer.from("]}");
    },
    event: (eventType, stored) => [line(eventType, row(view.object(stored), stored.revision))],
    // A bookmark is an object of the kind, of which only the version counts. It has a row, too.
    bookmark: (revision, end) =>
      line(
        "BOOKMARK",
        row({ apiVersion: "", kind: "", metadata: bookmarkMetadata(revision, end) }, revision),
      ),
  };
}

/** How many bytes of objects are encoded together, approximately. */
const groupBytes = 64 * 1024;

/** Encodes items in groups, separated by commas. */
function* inGroups(
  items: readonly StoredObject[],
  encode: (group: StoredObject[]) => string,
): Generator<Uint8Array> {
  let group: StoredObject[] = [];
  let size = 0;
  let separator = "";
  for (const [index, item] of items.entries()) {
    group.push(item);
    size += item.size();
    if (size < groupBytes && index < items.length - 1) continue;
    yield Buffer.from(separator + encode(group));
    separator = ",";
    group = [];
    size = 0;
  }
}

/** Returns how much of the objects a Table contains. */
export function includeObject(query: URLSearchParams): IncludeObject {
  const value = query.get("includeObject") ?? "Metadata";
  if (value === "" || value === "Metadata") return "Metadata";
  if (value === "None" || value === "Object") return value;
  throw badRequest(
    `Unable to convert to Table as requested: includeObject: Invalid value: ${JSON.stringify(value)}: must be 'Metadata', 'Object', 'None', or empty`,
  );
}
