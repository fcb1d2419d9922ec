import type { ObjectMeta } from "./types.ts";

/** What every Kubernetes object has. Everything is optional, as it is on the wire: a server fills it in. */
export interface KubeObject {
  apiVersion?: string;
  kind?: string;
  metadata?: ObjectMeta;
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

export function defineResource<T extends KubeObject>(
  resource: Pick<Resource, "group" | "version" | "kind" | "plural" | "namespaced">,
): Resource<T> {
  return Object.freeze({ ...resource });
}

/** "v1", "apps/v1". */
export function apiVersionOf(resource: Resource): string {
  return resource.group === "" ? resource.version : `${resource.group}/${resource.version}`;
}

/** The path of a collection, or of one object in it. */
export function pathOf(
  resource: Resource,
  at: { namespace?: string; name?: string; subresource?: string } = {},
): string {
  const root = resource.group === "" ? "/api/v1" : `/apis/${resource.group}/${resource.version}`;
  const parts = [root];
  if (at.namespace !== undefined) parts.push("namespaces", encodeURIComponent(at.namespace));
  parts.push(resource.plural);
  if (at.name !== undefined) parts.push(encodeURIComponent(at.name));
  if (at.subresource !== undefined) parts.push(at.subresource);
  return parts.join("/");
}
