import type { KubeObject } from "@operator-path/client";
import type { Client } from "../../client/client.ts";
import { type ObjectKey, objectKeyOf } from "../../client/object-key.ts";
import { interceptClient } from "../fake/interceptors.ts";

/** One request of a reconciler, before it is sent. */
export interface Call {
  /** "get Deployment shop/sample", "update Memcached/status shop/sample". */
  readonly text: string;
  readonly verb: string;
  readonly isRead: boolean;
  /** Whether the write is a server-side apply, also through `patch`. */
  readonly isApply: boolean;
  /** The object to write. undefined for reads, and for deleteAllOf, which names no object. */
  readonly object: KubeObject | undefined;
}

/** Sends a request, or fails it. */
type Around = <T>(call: Call, send: () => Promise<T>) => Promise<T>;

/** Returns a client that calls `around` for each read and write. Dry runs pass through. */
export function interceptCalls(client: Client, around: Around): Client {
  function write<T>(
    verb: string,
    object: KubeObject | undefined,
    kind: string,
    options: { dryRun?: boolean } | undefined,
    send: () => Promise<T>,
    isApply = verb === "apply",
  ): Promise<T> {
    if (options?.dryRun) return send();
    const text = `${verb} ${kind}${object ? placeOf(objectKeyOf(object)) : ""}`;
    return around({ text, verb, isRead: false, isApply, object }, send);
  }
  function read<T>(verb: string, kind: string, key: ObjectKey, send: () => Promise<T>): Promise<T> {
    const text = `${verb} ${kind}${placeOf(key)}`;
    return around({ text, verb, isRead: true, isApply: false, object: undefined }, send);
  }
  const part = (object: KubeObject, subresource: string) => `${object.kind}/${subresource}`;

  return interceptClient(client, {
    get: (inner, resource, key, options) =>
      read("get", resource.kind, key, () => inner.get(resource, key, options)),
    list: (inner, resource, options) =>
      read("list", resource.kind, { namespace: options?.namespace ?? "", name: "" }, () =>
        inner.list(resource, options),
      ),
    subResourceGet: (inner, name, object, options) =>
      read("get", part(object, name), objectKeyOf(object), () =>
        inner.subResource(name).get(object, options),
      ),
    create: (inner, object, options) =>
      write("create", object, `${object.kind}`, options, () => inner.create(object, options)),
    update: (inner, object, options) =>
      write("update", object, `${object.kind}`, options, () => inner.update(object, options)),
    patch: (inner, object, patch, options) =>
      write(
        ...(["patch", object, `${object.kind}`, options] as const),
        () => inner.patch(object, patch, options),
        patch.type === "apply",
      ),
    apply: (inner, object, options) =>
      write("apply", object, `${object.kind}`, options, () => inner.apply(object, options)),
    delete: (inner, object, options) =>
      write("delete", object, `${object.kind}`, options, () => inner.delete(object, options)),
    deleteAllOf: (inner, resource, options) =>
      write("deleteAllOf", undefined, resource.kind, options, () => inner.deleteAllOf(resource, options)),
    subResourceCreate: (inner, name, object, body, options) =>
      write("create", object, part(object, name), options, () =>
        inner.subResource(name).create(object, body, options),
      ),
    subResourceUpdate: (inner, name, object, options) =>
      write("update", object, part(object, name), options, () =>
        options ? inner.subResource(name).update(object, options) : inner.subResource(name).update(object),
      ),
    subResourcePatch: (inner, name, object, patch, options) =>
      write(
        ...(["patch", object, part(object, name), options] as const),
        () => inner.subResource(name).patch(object, patch, options),
        patch.type === "apply",
      ),
    subResourceApply: (inner, name, object, options) =>
      write("apply", object, part(object, name), options, () =>
        inner.subResource(name).apply(object, options),
      ),
  });
}

/** Returns " shop/sample", " shop/" for a whole namespace, or "" for everything. */
function placeOf({ namespace, name }: ObjectKey): string {
  return namespace || name ? ` ${namespace ? `${namespace}/` : ""}${name}` : "";
}
