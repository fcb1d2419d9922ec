/** spec.replicas of a Deployment or ReplicaSet; the API server's default is 1. */
export function desiredReplicas(object: { spec?: { replicas?: number } }): number {
  return object.spec?.replicas ?? 1;
}

/**
 * `{ [name]: count }`, or nothing when the count is 0. The API server leaves such zeros out (Go's omitempty), and a status
 * that is written with them would never equal the one that is read back: a write at every reconcile.
 */
export function nonZero<K extends string>(name: K, count: number | undefined): { [key in K]?: number } {
  return count ? ({ [name]: count } as { [key in K]?: number }) : {};
}
