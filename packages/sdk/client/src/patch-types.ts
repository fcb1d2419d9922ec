import type { KubeObject } from "./resource.ts";

/** One operation of a JSON patch (RFC 6902). */
export interface JsonPatchOperation {
  readonly op: "add" | "remove" | "replace" | "move" | "copy" | "test";
  /** A JSON pointer: "/metadata/labels/app.kubernetes.io~1name". */
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

/**
 * A JSON merge patch (RFC 7386): missing fields stay, null removes a field, and lists are replaced as a
 * whole.
 */
export type MergePatch<T> = unknown extends T
  ? T
  : T extends readonly unknown[]
    ? T
    : T extends object
      ? { readonly [Key in keyof T]?: MergePatch<Exclude<T[Key], null | undefined>> | null }
      : T;

/**
 * A strategic merge patch: like a merge patch, but lists with a merge key are merged item by item. Directives
 * change that: `$patch`, `$retainKeys`, `$setElementOrder/…`, `$deleteFromPrimitiveList/…`.
 */
export type StrategicMergePatch<T> = unknown extends T
  ? T
  : T extends readonly (infer Item)[]
    ? readonly StrategicMergePatch<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]?: StrategicMergePatch<Exclude<T[Key], null | undefined>> | null } & {
          readonly [Key in ListsOf<T> as
            | `$setElementOrder/${Key}`
            | `$deleteFromPrimitiveList/${Key}`]?: readonly unknown[];
        } & { readonly $patch?: "merge" | "replace" | "delete"; readonly $retainKeys?: readonly string[] }
      : T;

/** The names of the fields that hold lists. */
type ListsOf<T> = {
  [Key in keyof T & string]-?: NonNullable<T[Key]> extends readonly unknown[] ? Key : never;
}[keyof T & string];

/** The type T with all fields optional, at any depth. */
export type DeepPartial<T> = unknown extends T
  ? T
  : T extends readonly (infer Item)[]
    ? readonly DeepPartial<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]?: DeepPartial<T[Key]> }
      : T;

/**
 * The body of a server-side apply: the fields that one field manager sets, and the kind of the object
 * (client-go: applyconfigurations).
 */
export type ApplyConfiguration<T extends KubeObject> = DeepPartial<T> & {
  readonly apiVersion: string;
  readonly kind: string;
};

/** The bodies of patches by patch type. Any object is allowed if the object's type is not known. */
export interface PatchBodies<T extends KubeObject> {
  json: readonly JsonPatchOperation[];
  merge: IsUntyped<T> extends true ? object : MergePatch<T>;
  strategic: IsUntyped<T> extends true ? object : StrategicMergePatch<T>;
  apply: IsUntyped<T> extends true ? object : ApplyConfiguration<T>;
}

/** Whether T has no fields beyond those of every object. */
type IsUntyped<T> = keyof T extends keyof KubeObject ? true : false;
