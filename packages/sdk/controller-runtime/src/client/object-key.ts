import type { KubeObject } from "@operator-path/client";

/** The name of an object (Go: client.ObjectKey). */
export interface ObjectKey {
  /** None, or "", for a cluster-scoped object. */
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** Go: client.ObjectKeyFromObject. */
export function objectKeyOf(object: KubeObject): Required<ObjectKey> {
  const { namespace = "", name = "" } = object.metadata ?? {};
  return { namespace, name };
}
