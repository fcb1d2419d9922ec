import type { Client } from "@operator-path/client";
import type { ClusterModel } from "@operator-path/ui";

/** Returns a model that is always the current page's. A page of another tutorial has another cluster. */
export function followModel(current: () => ClusterModel): ClusterModel {
  return follow(current);
}

/** Returns a client that is always the current page's. */
export function followClient(current: () => Client): Client {
  return follow(current);
}

/** Reads each property from the object that is current at that moment. */
function follow<T extends object>(current: () => T): T {
  return new Proxy({} as T, {
    get(_target, name) {
      const value: unknown = Reflect.get(current(), name);
      return typeof value === "function" ? value.bind(current()) : value;
    },
  });
}
