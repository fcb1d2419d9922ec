import type { KubeObject, WriteOptions } from "@operator-path/client";
import type { WholeObject } from "./metadata-only.ts";
import type { Patch } from "./patch.ts";
import type { GetOptions } from "./reader.ts";
import type { ApplyOptions, PatchOptions } from "./writer.ts";

export interface SubResourceUpdateOptions<S extends KubeObject = KubeObject> extends WriteOptions {
  /** What is sent in place of the object itself, e.g. a Scale (Go: WithSubResourceBody). */
  body: S;
}

/** Writes a part of an object that has a path of its own, as its status does (Go: client.SubResourceWriter). */
export interface SubResourceWriter {
  update<T extends WholeObject>(object: T, options?: WriteOptions): Promise<T>;
  /** `client.subResource("scale").update(deployment, { body: scale })`: what is answered is what was sent, a Scale. */
  update<S extends KubeObject>(object: KubeObject, options: SubResourceUpdateOptions<S>): Promise<S>;
  /** Of a scale the answer is a Scale: `client.subResource("scale").patch<Deployment, Scale>(deployment, …)`. */
  patch<T extends KubeObject, S extends KubeObject = T>(
    object: T,
    patch: Patch<NoInfer<T>>,
    options?: PatchOptions,
  ): Promise<S>;
  apply<T extends KubeObject>(configuration: T, options?: ApplyOptions): Promise<T>;
  /** `client.subResource("eviction").create(pod, eviction)`. Returns what the server answers. */
  create<S extends KubeObject>(object: KubeObject, subResource: S, options?: WriteOptions): Promise<S>;
}

/** Go: client.SubResourceClient. Reads are answered by the server: no cache has subresources. */
export interface SubResourceClient extends SubResourceWriter {
  /** `client.subResource("scale").get<Scale>(deployment)`. */
  get<S extends KubeObject>(object: KubeObject, options?: GetOptions): Promise<S>;
}
