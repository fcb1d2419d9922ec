import type { Reader } from "./reader.ts";
import type { Scheme } from "./scheme.ts";
import type { SubResourceClient, SubResourceWriter } from "./subresource.ts";
import type { Writer } from "./writer.ts";

/**
 * Reads and writes objects. A manager's client reads from the manager's cache and writes to the server.
 * Go: client.Client.
 *
 * **It reads its own writes.** After a write, a cached read that could see the object waits until the cache
 * has received the write. So a reconciler never acts on a state that it has already changed. After
 * `readYourWritesTimeout` (default 5 s) the cache logs it and answers with its current state.
 */
export interface Client extends Reader, Writer {
  /** Same as `subResource("status")`. */
  readonly status: SubResourceWriter;
  /** Returns a client of a subresource, for example "scale". */
  subResource(name: string): SubResourceClient;
  readonly scheme: Scheme;
}
