/** What a reconciler is asked about (Go: reconcile.Request, a NamespacedName). */
export interface Request {
  /** "" for a cluster-scoped object. */
  readonly namespace: string;
  readonly name: string;
}

/** As the queue knows it: "namespace/name", or "name" of a cluster-scoped object. */
export function keyOfRequest({ namespace, name }: Request): string {
  // Some objects, and those who call from JavaScript, have none where it should be "".
  return namespace ? `${namespace}/${name}` : name;
}
