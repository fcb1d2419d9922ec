import { ApiError, type Clock, type Client as Connection, type Resource } from "@operator-path/client";

/** What a field's schema says about comparing and merging its values, as an API server does it. */
export type Schema =
  /** Nothing is known: objects are compared member by member, lists as a whole. */
  | { readonly type: "any" }
  | { readonly type: "scalar" }
  /** A quantity: "1" equals "1000m". */
  | { readonly type: "quantity" }
  /** Base64, in which whitespace does not count. */
  | { readonly type: "bytes" }
  /** An instant, in RFC 3339. */
  | { readonly type: "time" }
  | {
      readonly type: "struct";
      readonly fields: ReadonlyMap<string, Schema>;
      /** Its members exclude one another (a volume's source): a patch removes those that it lacks. */
      readonly retainKeys: boolean;
    }
  | { readonly type: "map"; readonly values: Schema }
  | { readonly type: "list"; readonly items: Schema; readonly rule: ListRule };

/** How a list is merged: as a whole, as a set, or item by item with these keys. */
export type ListRule =
  | "atomic"
  | "set"
  | { readonly keys: readonly string[]; readonly defaults: ReadonlyMap<string, unknown> };

export const anySchema: Schema = { type: "any" };
const scalar: Schema = { type: "scalar" };

/** A schema in an OpenAPI v3 document. */
interface RawSchema {
  $ref?: string;
  allOf?: RawSchema[];
  type?: string;
  format?: string;
  properties?: Record<string, RawSchema>;
  additionalProperties?: RawSchema | boolean;
  items?: RawSchema;
  default?: unknown;
  "x-kubernetes-group-version-kind"?: { group: string; version: string; kind: string }[];
  "x-kubernetes-list-type"?: string;
  "x-kubernetes-list-map-keys"?: string[];
  "x-kubernetes-patch-merge-key"?: string;
  "x-kubernetes-patch-strategy"?: string;
}

interface OpenApiDocument {
  components?: { schemas?: Record<string, RawSchema> };
}

/** Returns the schemas of the kinds in an OpenAPI v3 document (`/openapi/v3/apis/apps/v1`), by kind. */
export function readSchemas(
  { components }: OpenApiDocument,
  { group, version }: { group: string; version: string },
): Map<string, Schema> {
  const raw = new Map(Object.entries(components?.schemas ?? {}));
  const known = new Map<string, Schema>();
  const kinds = new Map<string, Schema>();
  for (const [name, schema] of raw) {
    const own = schema["x-kubernetes-group-version-kind"]?.find(
      (kind) => kind.group === group && kind.version === version,
    );
    if (own) kinds.set(own.kind, named(name));
  }
  return kinds;

  /** A schema may refer to itself, so it is stored before its members are read. */
  function named(name: string): Schema {
    const before = known.get(name);
    if (before) return before;
    const schema = raw.get(name);
    if (!schema) return anySchema;
    if (name.endsWith(".resource.Quantity")) return { type: "quantity" };
    if (!schema.properties) return read(schema);
    const fields = new Map<string, Schema>();
    const struct: Schema = { type: "struct", fields, retainKeys: false };
    known.set(name, struct);
    for (const [field, inner] of Object.entries(schema.properties)) fields.set(field, read(inner));
    return struct;
  }

  function read(schema: RawSchema): Schema {
    const target = referred(schema);
    if (target !== undefined) return withStrategy(named(target), schema);
    if (schema.type === "array") return readList(schema);
    if (schema.properties) {
      const fields = Object.entries(schema.properties).map(([name, inner]) => [name, read(inner)] as const);
      return withStrategy({ type: "struct", fields: new Map(fields), retainKeys: false }, schema);
    }
    if (typeof schema.additionalProperties === "object") {
      return { type: "map", values: read(schema.additionalProperties) };
    }
    if (schema.type === "string") {
      if (schema.format === "byte") return { type: "bytes" };
      return schema.format === "date-time" ? { type: "time" } : scalar;
    }
    return ["integer", "number", "boolean"].includes(schema.type ?? "") ? scalar : anySchema;
  }

  function readList(schema: RawSchema): Schema {
    const items = schema.items ?? {};
    const inner = read(items);
    const strategy = schema["x-kubernetes-patch-strategy"] ?? "";
    const keys = keysOf(schema);
    if (keys.length > 0) {
      const target = referred(items);
      const members = (target === undefined ? items : raw.get(target))?.properties ?? {};
      const defaults = new Map(
        keys.flatMap((key) => (members[key]?.default === undefined ? [] : [[key, members[key].default]])),
      );
      // The strategy of a list of objects applies to each of them.
      return { type: "list", items: withStrategy(inner, schema), rule: { keys, defaults } };
    }
    const isSet = schema["x-kubernetes-list-type"] === "set" || /(^|,)merge(,|$)/.test(strategy);
    return { type: "list", items: inner, rule: isSet ? "set" : "atomic" };
  }
}

/** Prefers the keys of server-side apply. Only they tell a Service's ports apart by protocol, too. */
function keysOf(schema: RawSchema): string[] {
  const listType = schema["x-kubernetes-list-type"];
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  if (listType === "map" && keys.length > 0) return keys;
  const key = schema["x-kubernetes-patch-merge-key"];
  return listType === undefined && key !== undefined ? [key] : [];
}

function withStrategy(schema: Schema, { "x-kubernetes-patch-strategy": strategy = "" }: RawSchema): Schema {
  const retainKeys = /(^|,)retainKeys(,|$)/.test(strategy);
  return retainKeys && schema.type === "struct" ? { ...schema, retainKeys } : schema;
}

/** Returns the name of the schema that another one refers to, alone or in an allOf beside a default. */
function referred({ $ref, allOf }: RawSchema): string | undefined {
  const reference = $ref ?? (allOf?.length === 1 ? allOf[0]?.$ref : undefined);
  return reference?.replace(/^#\/components\/schemas\//, "");
}

/**
 * The schemas of an API server's kinds, from its OpenAPI v3 documents: one request for each group-version.
 */
export interface Schemas {
  /**
   * Returns the schema of a kind; undefined when the server publishes none, or not to this client.
   *
   * @param options.maxAge milliseconds; a tenth of it for a kind that was not there before. Default: any age
   */
  schemaOf(
    resource: Resource,
    options?: { maxAge?: number; signal?: AbortSignal | undefined },
  ): Promise<Schema | undefined>;
}

export function createSchemas(connection: Connection, clock: Pick<Clock, "steady">): Schemas {
  const documents = new Map<string, { at: number; kinds: Map<string, Schema> }>();

  async function load(resource: Resource, signal: AbortSignal | undefined): Promise<Map<string, Schema>> {
    const { group, version } = resource;
    const path = `/openapi/v3/${group === "" ? "api" : `apis/${group}`}/${version}`;
    try {
      const { body } = await connection.request({ method: "GET", path, ...(signal ? { signal } : {}) });
      return readSchemas(JSON.parse(Buffer.from(body).toString("utf8")) as OpenApiDocument, resource);
    } catch (error) {
      // An aggregated API may publish no schemas, and a role may forbid reading them. Go on without.
      if (error instanceof ApiError && [403, 404, 406].includes(error.code)) return new Map();
      throw error;
    }
  }

  return {
    async schemaOf(resource, { maxAge = Number.POSITIVE_INFINITY, signal } = {}) {
      const key = `${resource.group}/${resource.version}`;
      const now = clock.steady();
      let document = documents.get(key);
      const allowed = document?.kinds.has(resource.kind) ? maxAge : maxAge / 10;
      if (!document || now - document.at > allowed) {
        document = { at: now, kinds: await load(resource, signal) };
        documents.set(key, document);
      }
      return document.kinds.get(resource.kind);
    },
  };
}
