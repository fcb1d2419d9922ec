import { UsageError } from "./errors.ts";
import type { ObjectMeta } from "./generated/kubernetes-types.ts";
import type { OutputOf, StandardSchema } from "./standard-schema.ts";

/** The fields of every Kubernetes object. All are optional, as on the wire: the server fills them in. */
export interface KubeObject {
  apiVersion?: string | undefined;
  kind?: string | undefined;
  metadata?: ObjectMeta | undefined;
}

declare const object: unique symbol;

/**
 * A resource of the API: its path and its kind (Go: GroupVersionResource and GroupVersionKind in one). `T` is
 * the type of its objects. It exists only for the compiler.
 */
export interface Resource<T extends KubeObject = KubeObject> {
  /** "" for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The name in the URL: lower case, plural. */
  readonly plural: string;
  readonly namespaced: boolean;
  readonly [object]?: T;
}

/** The names that identify a resource, without the type of its objects. */
export type ResourceNames = Pick<Resource, "group" | "version" | "kind" | "plural" | "namespaced">;

/**
 * The object that a schema describes: the schema's output type, plus the metadata of every object. The output
 * type is what a server returns, so a field with a default is not optional.
 */
export type ObjectOf<S extends StandardSchema> = KubeObject & {
  [Field in keyof OutputOf<S> as Field extends keyof KubeObject ? never : Field]: OutputOf<S>[Field];
};

/** A resource whose objects a schema describes. */
export interface SchemaResource<S extends StandardSchema = StandardSchema> extends Resource<ObjectOf<S>> {
  readonly schema: S;
}

/**
 * Returns a resource whose objects `schema` describes: `spec`, `status` and all other fields beside metadata.
 * The type of the objects is inferred ({@link ObjectOf}). controller-gen generates the
 * CustomResourceDefinition from it.
 *
 * @param resource `schema` is an object of any library that implements Standard Schema, such as `z.object({ …
 *   })` of zod
 */
export function defineResource<S extends StandardSchema<unknown, object>>(
  resource: ResourceNames & { readonly schema: S },
): SchemaResource<S>;
/** Returns a resource whose objects have the type `T`. Nothing checks this at run time. */
export function defineResource<T extends KubeObject>(
  resource: ResourceNames & { readonly schema?: undefined },
): Resource<T>;
export function defineResource(resource: ResourceNames): Resource {
  return Object.freeze({ ...resource });
}

/** Returns the apiVersion of a resource's objects, such as "v1" or "apps/v1". */
export function apiVersionOf(resource: Resource): string {
  return resource.group === "" ? resource.version : `${resource.group}/${resource.version}`;
}

/**
 * Returns the path of a collection, or of one object in it. A missing or empty namespace means all
 * namespaces, as in client-go.
 *
 * @throws UsageError if the name is empty, if a name or namespace is `.`, `..` or contains / or %, or if a
 *   cluster-scoped resource gets a namespace
 */
export function pathOf(
  resource: Resource,
  at: { namespace?: string | undefined; name?: string | undefined; subresource?: string | undefined } = {},
): string {
  const { namespace, name, subresource } = at;
  const parts = [resource.group === "" ? "/api" : `/apis/${resource.group}`, resource.version];
  if (namespace) {
    if (!resource.namespaced) {
      throw new UsageError(
        `a ${resource.kind} is cluster-scoped: leave out namespace(${JSON.stringify(namespace)})`,
      );
    }
    parts.push("namespaces", segment("namespace", namespace, resource));
  }
  parts.push(resource.plural);
  if (name !== undefined) parts.push(segment("name", name, resource));
  if (subresource !== undefined) parts.push(subresource);
  return parts.join("/");
}

/** Checks a name as client-go's IsValidPathSegmentName does. */
function segment(what: string, text: string, resource: Resource): string {
  if (text === "" || text === "." || text === ".." || /[/%]/.test(text)) {
    throw new UsageError(`${JSON.stringify(text)} cannot be the ${what} of a ${resource.kind}`);
  }
  return encodeURIComponent(text);
}
