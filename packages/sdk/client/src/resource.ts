import type { ObjectMeta } from "./generated/kubernetes-types.ts";
import { UsageError } from "./usage-error.ts";

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

export function defineResource<T extends KubeObject>(
  resource: Pick<Resource, "group" | "version" | "kind" | "plural" | "namespaced">,
): Resource<T> {
  return Object.freeze({ ...resource });
}

/** "v1", "apps/v1". */
export function apiVersionOf(resource: Resource): string {
  return resource.group === "" ? resource.version : `${resource.group}/${resource.version}`;
}

/**
 * The path of a collection, or of one object in it. No namespace, or "", means all of them (client-go does the same).
 *
 * @throws TypeError when a name is none: an empty one would name the collection, and ".." the namespace
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
