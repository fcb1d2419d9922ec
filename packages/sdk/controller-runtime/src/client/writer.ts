import type {
  DeleteOptions,
  KindOf,
  KubeObject,
  Resource,
  Typed,
  TypedApply,
  WriteOptions,
} from "@operator-path/client";
import type { WholeObject } from "./metadata-only.ts";
import type { Patch } from "./patch.ts";
import type { ListOptions } from "./reader.ts";

export type { DeleteOptions, WriteOptions };

export interface PatchOptions extends WriteOptions {
  /** Of a patch of the type "apply": take over fields that another manager owns. */
  force?: boolean | undefined;
}

export interface ApplyOptions extends WriteOptions {
  /** Whose fields these are. Required, here or as the client's `fieldOwner`. */
  fieldManager?: string | undefined;
  /** Take over fields that another manager owns (Go: ForceOwnership). Controllers usually want to. */
  force?: boolean | undefined;
}

export interface DeleteAllOfOptions extends DeleteOptions, Omit<ListOptions, "limit" | "signal"> {}

/**
 * Writes objects to the server (Go: client.Writer). The object's apiVersion and kind say what it is; the compiler checks
 * a literal against the type of its kind (`Kinds` of @operator-path/client).
 *
 * Every method returns the object as the server has stored it and leaves the one that it was given alone, where Go
 * overwrites it: `const stored = await client.update(wanted)`.
 *
 * All of them throw ApiError when the server refuses, and SchemeError when the scheme does not know the kind.
 */
export interface Writer {
  create<T extends WholeObject, A extends string = string, K extends string = string>(
    object: Typed<T, A, K>,
    options?: WriteOptions,
  ): Promise<KindOf<T, A, K>>;
  /** ApiError with the reason Conflict (`isConflict`) when the object has another resourceVersion by now. */
  update<T extends WholeObject, A extends string = string, K extends string = string>(
    object: Typed<T, A, K>,
    options?: WriteOptions,
  ): Promise<KindOf<T, A, K>>;
  /** `client.patch(wanted, mergeFrom(original))`. */
  patch<T extends KubeObject>(object: T, patch: Patch<NoInfer<T>>, options?: PatchOptions): Promise<T>;
  /**
   * Server-side apply: the fields of the configuration are to be so, whether the object exists or not; fields that this
   * manager applied before and does not name any more are removed.
   */
  apply<T extends KubeObject, A extends string = string, K extends string = string>(
    configuration: TypedApply<T, A, K>,
    options?: ApplyOptions,
  ): Promise<KindOf<T, A, K>>;
  /** NotFound is an error here: `.catch(ignoreNotFound)`. */
  delete(object: KubeObject, options?: DeleteOptions): Promise<void>;
  /**
   * One request for the whole selection. Namespaced resources need a namespace. Without `labels`, `labelSelector` and
   * `fields` everything is selected; one that is there and undefined is an error.
   */
  deleteAllOf(resource: Resource, options?: DeleteAllOfOptions): Promise<void>;
}
