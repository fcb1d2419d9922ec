import { ApiError, type Clock, type Client as Connection, type Resource } from "@operator-path/client";
import { type OpenApiDocument, readSchemas, type Schema } from "./schema.ts";

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
