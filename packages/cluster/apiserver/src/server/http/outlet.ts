import type { ServerResponse } from "node:http";
import type { ByteBudget } from "./byte-budget.ts";
import type { Pacer } from "./pacer.ts";

/** The output of a streaming response. Each response waits for its own client only. */
export interface ReplySink {
  /** Writes bytes by reference: data for many clients exists once. */
  write(chunk: Uint8Array): void;
  /**
   * Encodes the item after the client has read all earlier data, so that a slow client only costs references.
   */
  writeLater(item: LateChunk): void;
  /** Bytes that the client has not read. Chunks that are encoded later count with their estimate. */
  readonly pending: number;
  /** Chunks that the client has not read. */
  readonly waiting: number;
  /** Resolves when the client has read everything, or has disconnected. */
  drained(): Promise<void>;
  /** Disconnects a client that does not read, and drops its pending data. */
  cut(): void;
}

/** A chunk that is encoded later. */
export interface LateChunk {
  /** Its approximate size in bytes. */
  size: number;
  /** Whether it is encoded for this client alone, and counts against the budget for copies. */
  copied: boolean;
  encode(): readonly Uint8Array[];
}

export interface OutletOptions {
  /** Budget of chunks that are encoded for one client alone. */
  copies: ByteBudget;
  /** Shared with all other responses. */
  pacer: Pacer;
  /** Milliseconds after which a client that reads nothing is disconnected. Undefined: never. */
  stallTimeout: number | undefined;
  /** Called with a line when a chunk cannot be encoded. */
  log(line: string): void;
}

/** Bytes for the socket at one time. The rest stays shared until the client has read these. */
const batchBytes = 64 * 1024;
/** Pieces of up to this many bytes together are written as one. */
const copiedBytes = 16 * 1024;
/** Copies up to this size need no budget: each client has at most one batch of them in memory. */
const smallCopy = batchBytes;
/** How often a client that waits for the budget tries again, in milliseconds. */
const budgetInterval = 50;

/** Writes to a response at its client's speed. */
export function createOutlet(response: ServerResponse, options: OutletOptions): ReplySink {
  const { copies, log, pacer, stallTimeout } = options;
  let queue: (Uint8Array | LateChunk)[] = [];
  /** Index of the next chunk, because shifting a long array is slow. */
  let next = 0;
  /** The unsent pieces of the current chunk. */
  let open: Uint8Array[] = [];
  let pending = 0;
  /** Whether the socket has a batch that the client has not read. */
  let busy = false;
  let scheduled = false;
  let batches = 0;
  /** Bytes of the budget for the current chunk. */
  let taken = 0;
  let stallTimer: NodeJS.Timeout | undefined;
  let budgetTimer: NodeJS.Timeout | undefined;
  let waiters: (() => void)[] = [];

  const isEmpty = () => open.length === 0 && next === queue.length;
  const idle = () => !busy && isEmpty();

  function release(): void {
    if (taken > 0) copies.give(taken);
    taken = 0;
  }

  function settle(): void {
    const waiting = waiters;
    waiters = [];
    for (const resolve of waiting) resolve();
  }

  response.once("close", () => {
    release();
    clearTimeout(stallTimer);
    clearTimeout(budgetTimer);
    queue = [];
    open = [];
    next = 0;
    pending = 0;
    settle();
  });

  function push(item: Uint8Array | LateChunk, size: number): void {
    if (response.destroyed) return;
    queue.push(item);
    pending += size;
    watchForStall();
    schedule();
  }

  /**
   * Opens the next chunk. Returns false if the queue is empty, or if it must wait for the client or the
   * budget.
   */
  function openNext(startsBatch: boolean): boolean {
    if (next === queue.length) return false;
    const item = queue[next] as Uint8Array | LateChunk;
    if (item instanceof Uint8Array) open = [item];
    else {
      if (taken > 0 && !startsBatch) return false;
      // Only a chunk without bytes still holds budget here.
      release();
      if (item.copied && item.size > smallCopy) {
        if (!copies.take(item.size)) return false;
        taken = item.size;
      }
      open = [...item.encode()];
      pending += open.reduce((sum, piece) => sum + piece.length, 0) - item.size;
    }
    queue[next++] = nothing;
    // Halves the queue, so that a long one is not moved at each step.
    if (next > queue.length / 2) {
      queue = queue.slice(next);
      next = 0;
    }
    return true;
  }

  /** Takes up to one batch. Returns an empty one if the next chunk waits for the budget. */
  function takeBatch(): Uint8Array[] {
    const batch: Uint8Array[] = [];
    let room = batchBytes;
    while (room > 0) {
      const piece = open.shift();
      if (piece === undefined) {
        if (!openNext(batch.length === 0)) break;
        continue;
      }
      if (piece.length <= room) batch.push(piece);
      else {
        batch.push(piece.subarray(0, room));
        open.unshift(piece.subarray(room));
      }
      room -= piece.length;
    }
    return batch;
  }

  /** Schedules a write. Events of one tick are sent as one packet. */
  function schedule(): void {
    if (scheduled || busy || response.destroyed) return;
    scheduled = true;
    pacer.schedule(flush);
  }

  function flush(): number {
    scheduled = false;
    if (response.destroyed) return 0;
    let batch: Uint8Array[];
    try {
      batch = takeBatch();
    } catch (error) {
      // The response is incomplete. A broken connection shows the client that the rest is missing.
      log(`an answer ended early: ${error instanceof Error ? error.stack : String(error)}`);
      response.destroy();
      return 0;
    }
    const size = batch.reduce((sum, piece) => sum + piece.length, 0);
    // A client may never read its last batch. Copy that batch and free the budget, so that the client does
    // not hold the whole chunk.
    const isEndOfCopy = taken > 0 && open.length === 0;
    if (isEndOfCopy) release();
    // One write is one TLS record and one system call. For small pieces these cost more than a copy.
    const isJoined = batch.length > 0 && (isEndOfCopy || (batch.length > 1 && size <= copiedBytes));
    const pieces = isJoined ? [Buffer.concat(batch, size)] : batch;
    const last = pieces.pop();
    if (last === undefined) {
      if (isEmpty()) settle();
      else waitForBudget();
      return 0;
    }
    busy = true;
    if (pieces.length > 0) response.cork();
    for (const piece of pieces) response.write(piece);
    response.write(last, () => {
      busy = false;
      batches++;
      pending -= size;
      if (isEmpty()) settle();
      else schedule();
    });
    if (pieces.length > 0) response.uncork();
    watchForStall();
    return size;
  }

  function waitForBudget(): void {
    budgetTimer ??= setTimeout(() => {
      budgetTimer = undefined;
      schedule();
    }, budgetInterval);
  }

  /**
   * Disconnects the client if it reads nothing for `stallTimeout` while more data is queued. A watcher may
   * never read its last batch.
   */
  function watchForStall(): void {
    const isWaitedFor = () => busy && (!isEmpty() || waiters.length > 0);
    if (stallTimeout === undefined || stallTimer !== undefined || !isWaitedFor()) return;
    const seen = batches;
    stallTimer = setTimeout(() => {
      stallTimer = undefined;
      if (batches === seen && isWaitedFor()) response.destroy();
      else watchForStall();
    }, stallTimeout).unref();
  }

  return {
    write(chunk) {
      if (chunk.length > 0) push(chunk, chunk.length);
    },
    writeLater(item) {
      push(item, item.size);
    },
    get pending() {
      return pending;
    },
    get waiting() {
      return queue.length - next;
    },
    async drained() {
      if (idle() || response.destroyed) return;
      const done = new Promise<void>((resolve) => waiters.push(resolve));
      watchForStall();
      await done;
    },
    cut() {
      response.destroy();
    },
  };
}

const nothing = new Uint8Array(0);
