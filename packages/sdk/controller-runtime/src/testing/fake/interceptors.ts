import type { KubeObject, Resource, WriteOptions } from "@operator-path/client";
import type { Client } from "../../client/client.ts";
import type { ObjectKey } from "../../client/object-key.ts";
import type { Patch } from "../../client/patch.ts";
import type { GetOptions, ListOptions } from "../../client/reader.ts";
import type { SubResourceClient, SubResourceUpdateOptions } from "../../client/subresource.ts";
import type { ApplyOptions, DeleteAllOfOptions, DeleteOptions, PatchOptions } from "../../client/writer.ts";

/**
 * Functions that replace a client's methods. Each receives the original client as its first argument, so it
 * can call it: `create: async (client, object, options) => { throw new Error("no"); }`.
 * Go: interceptor.Funcs.
 *
 * `client.status` counts as a subresource.
 */
export interface Interceptors {
  get?(client: Client, resource: Resource, key: ObjectKey, options?: GetOptions): Promise<KubeObject>;
  list?(client: Client, resource: Resource, options?: ListOptions): Promise<KubeObject[]>;
  create?(client: Client, object: KubeObject, options?: WriteOptions): Promise<KubeObject>;
  update?(client: Client, object: KubeObject, options?: WriteOptions): Promise<KubeObject>;
  patch?(client: Client, object: KubeObject, patch: Patch, options?: PatchOptions): Promise<KubeObject>;
  apply?(client: Client, configuration: KubeObject, options?: ApplyOptions): Promise<KubeObject>;
  delete?(client: Client, object: KubeObject, options?: DeleteOptions): Promise<void>;
  deleteAllOf?(client: Client, resource: Resource, options?: DeleteAllOfOptions): Promise<void>;
  subResourceGet?(
    client: Client,
    name: string,
    object: KubeObject,
    options?: GetOptions,
  ): Promise<KubeObject>;
  subResourceCreate?(
    client: Client,
    name: string,
    object: KubeObject,
    body: KubeObject,
    options?: WriteOptions,
  ): Promise<KubeObject>;
  subResourceUpdate?(
    client: Client,
    name: string,
    object: KubeObject,
    options?: SubResourceUpdateOptions,
  ): Promise<KubeObject>;
  subResourcePatch?(
    client: Client,
    name: string,
    object: KubeObject,
    patch: Patch,
    options?: PatchOptions,
  ): Promise<KubeObject>;
  subResourceApply?(
    client: Client,
    name: string,
    configuration: KubeObject,
    options?: ApplyOptions,
  ): Promise<KubeObject>;
}

type Method = (...args: never[]) => unknown;

/**
 * Returns a client with intercepted methods. Works for any client, not only a fake one.
 * Go: interceptor.NewClient.
 *
 * `const flaky = interceptClient(client, { update: async () => { throw conflict; } });`
 */
export function interceptClient(client: Client, interceptors: Interceptors): Client {
  /** An interceptor states the kind of an object, not its type. The type is assumed. */
  function either<F extends Method>(interceptor: Method | undefined, method: F, ...given: unknown[]): F {
    const intercepted = (...args: unknown[]) =>
      Reflect.apply(interceptor as Method, interceptors, [client, ...given, ...args]);
    return interceptor ? (intercepted as unknown as F) : method;
  }

  function subResource(name: string): SubResourceClient {
    const inner = client.subResource(name);
    return {
      get: either(interceptors.subResourceGet, inner.get, name),
      create: either(interceptors.subResourceCreate, inner.create, name),
      update: either(interceptors.subResourceUpdate, inner.update, name),
      patch: either(interceptors.subResourcePatch, inner.patch, name),
      apply: either(interceptors.subResourceApply, inner.apply, name),
    };
  }

  return {
    scheme: client.scheme,
    get: either(interceptors.get, client.get),
    list: either(interceptors.list, client.list),
    create: either(interceptors.create, client.create),
    update: either(interceptors.update, client.update),
    patch: either(interceptors.patch, client.patch),
    apply: either(interceptors.apply, client.apply),
    delete: either(interceptors.delete, client.delete),
    deleteAllOf: either(interceptors.deleteAllOf, client.deleteAllOf),
    status: subResource("status"),
    subResource,
  };
}
