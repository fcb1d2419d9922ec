import type { KubeObject, WriteOptions } from "@operator-path/client";
import type { WholeObject } from "./metadata-only.ts";
import type { Patch } from "./patch.ts";
import type { GetOptions } from "./reader.ts";
import type { ApplyOptions, PatchOptions } from "./writer.ts";

/** Configures `SubResourceWriter.update` with another body than the object. */
export interface SubResourceUpdateOptions<S extends KubeObject = KubeObject> extends WriteOptions {
  /** The body to send instead of the object, for example a Scale. Go: WithSubResourceBody. */
  body: S;
}

/** Writes a subresource of an object, for example its status. Go: client.SubResourceWriter. */
export interface SubResourceWriter {
  /** Updates the subresource of the object, for example its status. */
  update<T extends WholeObject>(object: T, options?: WriteOptions): Promise<T>;
  /** `client.subResource("scale").update(deployment, { body: scale })` returns a Scale. */
  update<S extends KubeObject>(object: KubeObject, options: SubResourceUpdateOptions<S>): Promise<S>;
  /**
   * A patch of a scale returns a Scale: `client.subResource("scale").patch<Deployment, Scale>(deployment,
   * …)`.
   */
  patch<T extends KubeObject, S extends KubeObject = T>(
    object: T,
    patch: Patch<NoInfer<T>>,
    options?: PatchOptions,
  ): Promise<S>;
  /** Sends a server-side apply to the subresource. */
  apply<T extends KubeObject>(configuration: T, options?: ApplyOptions): Promise<T>;
  /** Returns the server's answer. Example: `client.subResource("eviction").create(pod, eviction)`. */
  create<S extends KubeObject>(object: KubeObject, subResource: S, options?: WriteOptions): Promise<S>;
}

/**
 * Reads and writes a subresource. Reads go to the server, because caches have no subresources.
 * Go: client.SubResourceClient.
 */
export interface SubResourceClient extends SubResourceWriter {
  /** Example: `client.subResource("scale").get<Scale>(deployment)`. */
  get<S extends KubeObject>(object: KubeObject, options?: GetOptions): Promise<S>;
}
