import type { Reader } from "./reader.ts";
import type { Scheme } from "./scheme.ts";
import type { SubResourceClient, SubResourceWriter } from "./subresource.ts";
import type { Writer } from "./writer.ts";

/**
 * Reads and writes objects (Go: client.Client). A manager's client reads from the manager's cache and writes to the server.
 *
 * **It reads its own writes**: after a write, a read from the cache that could see the object waits until the cache has
 * heard of that write, so that a reconcile never acts on what it has just changed (`readYourWritesTimeout`, default 5 s,
 * then it logs and answers with what there is).
 */
export interface Client extends Reader, Writer {
  /** The same as `subResource("status")`. */
  readonly status: SubResourceWriter;
  subResource(name: string): SubResourceClient;
  readonly scheme: Scheme;
}
