/**
 * Listening sockets that outlive the operator's processes. Connections made in between wait in the kernel's
 * queue.
 */
export interface PreservedListeners {
  keep(key: string, handle: unknown): void;
  /** Returns the socket, or undefined if it is missing. */
  claim(key: string): unknown;
  /** Closes sockets that the current process has not claimed, because nothing would answer there. */
  closeUnclaimed(): void;
  /** Forgets the claims of the ended process, before the next one makes its own. */
  releaseClaims(): void;
  close(): void;
}

export function createPreservedListeners(): PreservedListeners {
  const preserved = new Map<string, unknown>();
  const claimed = new Set<string>();
  function closeOne(key: string): void {
    (preserved.get(key) as { close(): void } | undefined)?.close();
    preserved.delete(key);
  }
  return {
    keep(key, handle) {
      if (!handle) return;
      closeOne(key);
      preserved.set(key, handle);
      claimed.add(key);
    },
    claim(key) {
      claimed.add(key);
      return preserved.get(key);
    },
    closeUnclaimed() {
      for (const key of [...preserved.keys()]) if (!claimed.has(key)) closeOne(key);
    },
    releaseClaims: () => claimed.clear(),
    close() {
      for (const key of [...preserved.keys()]) closeOne(key);
    },
  };
}
