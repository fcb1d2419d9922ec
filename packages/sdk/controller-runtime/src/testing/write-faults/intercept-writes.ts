import type { KubeObject } from "@operator-path/client";
import type { Client } from "../../client/client.ts";
import { objectKeyOf } from "../../client/object-key.ts";
import { interceptClient } from "../fake/interceptors.ts";

/** One write of a reconciler, before it is sent. */
export interface SeenWrite {
  /** "create Deployment shop/sample", "update Memcached/status shop/sample". */
  readonly text: string;
  readonly verb: string;
  /** The object that is written. undefined for deleteAllOf, which names none. */
  readonly object: KubeObject | undefined;
}

/** Sends a write, or fails it. */
type Around = <T>(write: SeenWrite, send: () => Promise<T>) => Promise<T>;

/** Returns a client that calls `around` in place of each write. Reads and dry runs pass. */
export function interceptWrites(client: Client, around: Around): Client {
  function write<T>(
    verb: string,
    object: KubeObject | undefined,
    kind: string,
    options: { dryRun?: boolean } | undefined,
    send: () => Promise<T>,
  ): Promise<T> {
    if (options?.dryRun) return send();
    const { namespace, name } = objectKeyOf(object ?? {});
    const place = object ? ` ${namespace ? `${namespace}/` : ""}${name}` : "";
    return around({ text: `${verb} ${kind}${place}`, verb, object }, send);
  }
  const part = (object: KubeObject, subresource: string) => `${object.kind}/${subresource}`;

  return interceptClient(client, {
    create: (inner, object, options) =>
      write("create", object, `${object.kind}`, options, () => inner.create(object, options)),
    update: (inner, object, options) =>
      write("update", object, `${object.kind}`, options, () => inner.update(object, options)),
    patch: (inner, object, patch, options) =>
      write("patch", object, `${object.kind}`, options, () => inner.patch(object, patch, options)),
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
      write("patch", object, part(object, name), options, () =>
        inner.subResource(name).patch(object, patch, options),
      ),
    subResourceApply: (inner, name, object, options) =>
      write("apply", object, part(object, name), options, () =>
        inner.subResource(name).apply(object, options),
      ),
  });
}
