/** Listening sockets that outlive the operator's processes: what connects meanwhile waits in the kernel's queue. */
export interface KeptListeners {
  keep(key: string, handle: unknown): void;
  /** Undefined: there is none. */
  claim(key: string): unknown;
  /** Closes those that the present process has not claimed: nobody would ever answer there. */
  closeUnclaimed(): void;
  /** The process has gone, and the next one has not been asked for any. */
  releaseClaims(): void;
  close(): void;
}

export function createKeptListeners(): KeptListeners {
  const kept = new Map<string, unknown>();
  const claimed = new Set<string>();
  function closeOne(key: string): void {
    (kept.get(key) as { close(): void } | undefined)?.close();
    kept.delete(key);
  }
  return {
    keep(key, handle) {
      if (!handle) return;
      closeOne(key);
      kept.set(key, handle);
      claimed.add(key);
    },
    claim(key) {
      claimed.add(key);
      return kept.get(key);
    },
    closeUnclaimed() {
      for (const key of [...kept.keys()]) if (!claimed.has(key)) closeOne(key);
    },
    releaseClaims: () => claimed.clear(),
    close() {
      for (const key of [...kept.keys()]) closeOne(key);
    },
  };
}
