/**
 * One of several API servers with the same etcd. Its watch cache may lag behind. Reads from etcd (a list
 * without a resourceVersion) do not lag.
 */
export interface Replica {
  /** The last version that this replica has received. */
  readonly version: number;
  readonly lagging: boolean;
  /** Receives nothing more until `catchUp`. */
  lag(): void;
  catchUp(): void;
  /** Called when etcd has a newer version. */
  receive(version: number): void;
  /** Calls the listener whenever the version grows. Returns a function that stops this. */
  onVersion(listener: () => void): () => void;
}

export function createReplica(first: number): Replica {
  let seen = first;
  let newest = first;
  let lagging = false;
  const listeners = new Set<() => void>();

  function advance(): void {
    if (lagging || seen === newest) return;
    seen = newest;
    for (const listener of [...listeners]) listener();
  }

  return {
    get version() {
      return seen;
    },
    get lagging() {
      return lagging;
    },
    lag() {
      lagging = true;
    },
    catchUp() {
      lagging = false;
      advance();
    },
    receive(version) {
      newest = version;
      advance();
    },
    onVersion(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
