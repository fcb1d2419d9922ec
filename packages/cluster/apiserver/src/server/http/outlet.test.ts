import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createByteBudget } from "./byte-budget.ts";
import { createOutlet, type ReplySink } from "./outlet.ts";
import { createPacer } from "./pacer.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A connection whose client reads one write at a time, when the test allows it. */
class Connection extends EventEmitter {
  destroyed = false;
  received = "";
  /** Bytes of memory that the last write refers to. */
  held = 0;
  readonly #unread: (() => void)[] = [];
  write(chunk: Uint8Array, done?: () => void): boolean {
    this.held = chunk.buffer.byteLength;
    this.#unread.push(() => {
      this.received += Buffer.from(chunk).toString();
      done?.();
    });
    return true;
  }
  cork(): void {}
  uncork(): void {}
  destroy(): void {
    this.destroyed = true;
    this.emit("close");
  }
  /** Sends what is scheduled, then reads one batch. */
  async readBatch(): Promise<void> {
    await vi.advanceTimersByTimeAsync(0);
    for (const read of this.#unread.splice(0)) read();
    await vi.advanceTimersByTimeAsync(0);
  }
}

const kibibyte = 1024;
const stallTimeout = 1000;
const budgetInterval = 50;

function startOutlets(copyBytes: number) {
  const shared = { copies: createByteBudget(copyBytes), pacer: createPacer(), stallTimeout, log() {} };
  return () => {
    const connection = new Connection();
    const sink = createOutlet(connection as unknown as ServerResponse, shared);
    return { connection, sink };
  };
}

function copy(sink: ReplySink, text: string): void {
  sink.writeLater({ size: text.length, copied: true, encode: () => [Buffer.from(text)] });
}

test("frees the budget of a client that leaves its last batch unread", async () => {
  const connect = startOutlets(100 * kibibyte);
  const [slow, fast] = [connect(), connect()];
  const text = `${"x".repeat(99 * kibibyte)}the end`;
  copy(slow.sink, text);
  await slow.connection.readBatch();
  await vi.advanceTimersByTimeAsync(10 * stallTimeout);
  copy(fast.sink, text);
  await fast.connection.readBatch();
  await fast.connection.readBatch();
  expect(fast.connection.received === text).toBe(true);
  // Only a batch of its copy is left in memory.
  expect(slow.connection.held).toBeLessThanOrEqual(64 * kibibyte);
  expect(slow.connection.destroyed).toBe(false);
  await slow.connection.readBatch();
  expect(slow.connection.received === text).toBe(true);
});

test("disconnects a client that reads none of a large copy, and frees its budget", async () => {
  const connect = startOutlets(100 * kibibyte);
  const [stalled, other] = [connect(), connect()];
  const text = "x".repeat(99 * kibibyte);
  copy(stalled.sink, text);
  await vi.advanceTimersByTimeAsync(0);
  copy(other.sink, text);
  await vi.advanceTimersByTimeAsync(stallTimeout + budgetInterval);
  expect(stalled.connection.destroyed).toBe(true);
  await other.connection.readBatch();
  await other.connection.readBatch();
  expect(other.connection.received === text).toBe(true);
});

test("uses one timer for a client that waits for the budget, however much is written", async () => {
  const connect = startOutlets(100 * kibibyte);
  const [first, second] = [connect(), connect()];
  copy(first.sink, "x".repeat(99 * kibibyte));
  await vi.advanceTimersByTimeAsync(0);
  const before = vi.getTimerCount();
  for (let count = 0; count < 10; count++) {
    copy(second.sink, "y".repeat(99 * kibibyte));
    await vi.advanceTimersByTimeAsync(0);
  }
  expect(vi.getTimerCount()).toBe(before + 1);
});
