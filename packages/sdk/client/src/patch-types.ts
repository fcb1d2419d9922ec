import type { KubeObject } from "./resource.ts";

/** One operation of a JSON patch (RFC 6902). */
export interface JsonPatchOperation {
  readonly op: "add" | "remove" | "replace" | "move" | "copy" | "test";
  /** A JSON pointer: "/metadata/labels/app.kubernetes.io~1name". */
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

/** A JSON merge patch (RFC 7386): fields that are left out stay, null removes a field, lists are replaced as a whole. */
export type MergePatch<T> = unknown extends T
  ? T
  : T extends readonly unknown[]
    ? T
    : T extends object
      ? { readonly [Key in keyof T]?: MergePatch<Exclude<T[Key], null | undefined>> | null }
      : T;

/**
 * A strategic merge patch: as a merge patch, but lists that have a merge key are merged item by item. Directives say
 * otherwise: `$patch`, `$retainKeys`, `$setElementOrder/…`, `$deleteFromPrimitiveList/…`.
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

type ListsOf<T> = {
  [Key in keyof T & string]-?: NonNullable<T[Key]> extends readonly unknown[] ? Key : never;
}[keyof T & string];

/** A part of an object, at any depth. */
export type DeepPartial<T> = unknown extends T
  ? T
  : T extends readonly (infer Item)[]
    ? readonly DeepPartial<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]?: DeepPartial<T[Key]> }
      : T;

/**
 * What one field manager wants of an object, for server-side apply (client-go: applyconfigurations): the fields that it
 * owns, and which object it is.
 */
export type ApplyConfiguration<T extends KubeObject> = DeepPartial<T> & {
  readonly apiVersion: string;
  readonly kind: string;
};

/** The body of each type of patch of an object. Anything, where the type of the object is not known. */
export interface PatchBodies<T extends KubeObject> {
  json: readonly JsonPatchOperation[];
  merge: IsUntyped<T> extends true ? object : MergePatch<T>;
  strategic: IsUntyped<T> extends true ? object : StrategicMergePatch<T>;
  apply: IsUntyped<T> extends true ? object : ApplyConfiguration<T>;
}

type IsUntyped<T> = keyof T extends keyof KubeObject ? true : false;
