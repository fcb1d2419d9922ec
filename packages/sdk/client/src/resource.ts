import { UsageError } from "./errors.ts";
import type { ObjectMeta } from "./generated/kubernetes-types.ts";
import type { OutputOf, StandardSchema } from "./standard-schema.ts";

/** What every Kubernetes object has. Everything is optional, as it is on the wire: a server fills it in. */
export interface KubeObject {
  apiVersion?: string | undefined;
  kind?: string | undefined;
  metadata?: ObjectMeta | undefined;
}

declare const object: unique symbol;

/**
 * A resource of the API: where it is served and what its objects are. The type `T` of its objects travels along, and
 * exists for the compiler alone (Go: GroupVersionResource and GroupVersionKind in one).
 */
export interface Resource<T extends KubeObject = KubeObject> {
  /** "" for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** As in the URL: lower case, plural. */
  readonly plural: string;
  readonly namespaced: boolean;
  readonly [object]?: T;
}

/** Where a resource is served, and the name of its kind. */
export type ResourceNames = Pick<Resource, "group" | "version" | "kind" | "plural" | "namespaced">;

/**
 * The object that a schema describes: its output type, with the metadata that every object has. The output type is what a
 * server returns, so a field with a default is not optional.
 */
export type ObjectOf<S extends StandardSchema> = KubeObject & {
  [Field in keyof OutputOf<S> as Field extends keyof KubeObject ? never : Field]: OutputOf<S>[Field];
};

/** A resource whose objects a schema describes. */
export interface SchemaResource<S extends StandardSchema = StandardSchema> extends Resource<ObjectOf<S>> {
  readonly schema: S;
}

/**
 * Returns a resource of the objects that `schema` describes: `spec`, `status` and whatever else is beside metadata. The
 * objects' type is inferred ({@link ObjectOf}). controller-gen makes the CustomResourceDefinition of it.
 *
 * @param resource `schema` is an object of any library that implements Standard Schema, such as `z.object({ … })` of zod
 */
export function defineResource<S extends StandardSchema<unknown, object>>(
  resource: ResourceNames & { readonly schema: S },
): SchemaResource<S>;
/** Returns a resource whose objects are of the type `T`. Nothing checks that they are. */
export function defineResource<T extends KubeObject>(
  resource: ResourceNames & { readonly schema?: undefined },
): Resource<T>;
export function defineResource(resource: ResourceNames): Resource {
  return Object.freeze({ ...resource });
}

/** "v1", "apps/v1". */
export function apiVersionOf(resource: Resource): string {
  return resource.group === "" ? resource.version : `${resource.group}/${resource.version}`;
}

/**
 * The path of a collection, or of one object in it. No namespace, or "", means all of them (client-go does the same).
 *
 * @throws UsageError if the name is empty, if a name or namespace is `.`, `..` or contains / or %, or if a cluster-scoped
 *   resource gets a namespace
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
        `a ${resource.kind} lives in no namespace: ask without namespace(${JSON.stringify(namespace)})`,
      );
    }
    parts.push("namespaces", segment("namespace", namespace, resource));
  }
  parts.push(resource.plural);
  if (name !== undefined) parts.push(segment("name", name, resource));
  if (subresource !== undefined) parts.push(subresource);
  return parts.join("/");
}

/** As client-go's IsValidPathSegmentName has it. */
function segment(what: string, text: string, resource: Resource): string {
  if (text === "" || text === "." || text === ".." || /[/%]/.test(text)) {
    throw new UsageError(`${JSON.stringify(text)} cannot be the ${what} of a ${resource.kind}`);
  }
  return encodeURIComponent(text);
}
