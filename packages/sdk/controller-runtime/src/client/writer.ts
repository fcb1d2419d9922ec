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

/** Configures `Writer.patch`. */
export interface PatchOptions extends WriteOptions {
  /** For a patch of type "apply": takes over fields that another manager owns. Default false. */
  force?: boolean | undefined;
}

/** Configures `Writer.apply`. */
export interface ApplyOptions extends WriteOptions {
  /** The field manager. Required here, or as the client's `fieldOwner`. */
  fieldManager?: string | undefined;
  /**
   * Takes over fields that another manager owns. Controllers usually set it. Default false.
   * Go: ForceOwnership.
   */
  force?: boolean | undefined;
}

/** Selects the objects of `Writer.deleteAllOf`. */
export interface DeleteAllOfOptions extends DeleteOptions, Omit<ListOptions, "limit" | "signal"> {}

/**
 * Writes objects to the server. The object's apiVersion and kind select the resource. The compiler checks a
 * literal against the type of its kind (`Kinds` of @operator-path/client). Go: client.Writer.
 *
 * Every method returns the object as the server stored it and leaves its argument unchanged, where Go
 * overwrites it: `const stored = await client.update(wanted)`.
 *
 * @throws ApiError when the server rejects the request
 * @throws SchemeError when the scheme does not know the kind
 */
export interface Writer {
  /** Creates the object. */
  create<T extends WholeObject, A extends string = string, K extends string = string>(
    object: Typed<T, A, K>,
    options?: WriteOptions,
  ): Promise<KindOf<T, A, K>>;
  /**
   * Replaces the object.
   *
   * @throws ApiError with the reason Conflict (`isConflict`) when the object has changed since it was read
   */
  update<T extends WholeObject, A extends string = string, K extends string = string>(
    object: Typed<T, A, K>,
    options?: WriteOptions,
  ): Promise<KindOf<T, A, K>>;
  /** Patches the object: `client.patch(wanted, mergeFrom(original))`. */
  patch<T extends KubeObject>(object: T, patch: Patch<NoInfer<T>>, options?: PatchOptions): Promise<T>;
  /**
   * Sends a server-side apply: creates or updates the object so that it has these fields. Fields that this
   * manager applied earlier and that are missing now are removed.
   */
  apply<T extends KubeObject, A extends string = string, K extends string = string>(
    configuration: TypedApply<T, A, K>,
    options?: ApplyOptions,
  ): Promise<KindOf<T, A, K>>;
  /**
   * Deletes the object.
   *
   * @throws ApiError with the reason NotFound when the object does not exist: `.catch(ignoreNotFound)`
   */
  delete(object: KubeObject, options?: DeleteOptions): Promise<void>;
  /**
   * Deletes the selected objects with one request. Namespaced resources need a namespace. Without `labels`,
   * `labelSelector` and `fields` it deletes all.
   *
   * @throws UsageError when one of these is set to undefined
   */
  deleteAllOf(resource: Resource, options?: DeleteAllOfOptions): Promise<void>;
}
