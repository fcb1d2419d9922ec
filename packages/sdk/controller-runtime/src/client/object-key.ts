import type { KubeObject } from "@operator-path/client";

/** The namespace and name of an object. Go: client.ObjectKey. */
export interface ObjectKey {
  /** undefined or "" for a cluster-scoped object. */
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** Returns the key of an object. Go: client.ObjectKeyFromObject. */
export function objectKeyOf(object: KubeObject): Required<ObjectKey> {
  const { namespace = "", name = "" } = object.metadata ?? {};
  return { namespace, name };
}
