/** The namespace and name of the object to reconcile. Go: reconcile.Request, a NamespacedName. */
export interface Request {
  /** "" for a cluster-scoped object. */
  readonly namespace: string;
  readonly name: string;
}

/** Returns the key in the queue: "namespace/name", or "name" for a cluster-scoped object. */
export function keyOfRequest({ namespace, name }: Request): string {
  // Some objects, and JavaScript callers, have undefined instead of "".
  return namespace ? `${namespace}/${name}` : name;
}
