/** Lets responses take turns, so that large ones to many clients do not block everything else. */
export interface Pacer {
  /** Calls `send` in one of the next turns of the event loop. It returns the number of bytes written. */
  schedule(send: () => number): void;
}

/**
 * Returns a pacer. @param turnBytes bytes after which the event loop serves other sockets first. Default: 1
 * MiB
 */
export function createPacer(turnBytes = 1024 * 1024): Pacer {
  let queue: (() => number)[] = [];
  let scheduled = false;

  function turn(): void {
    let done = 0;
    try {
      for (let sent = 0; done < queue.length && sent < turnBytes; ) sent += queue[done++]?.() ?? 0;
    } finally {
      queue = queue.slice(done);
      scheduled = queue.length > 0;
      if (scheduled) setImmediate(turn);
    }
  }

  return {
    schedule(send) {
      queue.push(send);
      if (scheduled) return;
      scheduled = true;
      setImmediate(turn);
    },
  };
}
