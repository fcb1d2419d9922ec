import type { Clock, TimerHandle } from "@operator-path/client";

export interface CoolerOptions {
  clock: Clock;
  /** Milliseconds between adding a batch and processing it. Default 30,000. */
  rest?: number;
  /** Milliseconds between two steps of work. Default 10. */
  pause?: number;
  /** Bytes per step, about a millisecond of work. Default 64 KiB. */
  sliceBytes?: number;
}

/** Processes batches after a delay, in small steps, so that it never blocks the event loop. */
export interface Cooler<Item> {
  add(batch: readonly Item[]): void;
  /** Stops all processing and clears the timer. */
  stop(): void;
}

/** @param cool processes one item and returns the number of its bytes */
export function createCooler<Item>(
  cool: (item: Item) => number,
  { clock, rest = 30_000, pause = 10, sliceBytes = 64 * 1024 }: CoolerOptions,
): Cooler<Item> {
  const batches: { items: readonly Item[]; due: number }[] = [];
  let at = 0;
  let timer: TimerHandle | undefined;
  let isStopped = false;

  function schedule(): void {
    const [batch] = batches;
    if (!batch || isStopped || timer !== undefined) return;
    timer = clock.setTimeout(run, Math.max(pause, batch.due - clock.steady()));
  }

  function run(): void {
    timer = undefined;
    const [batch] = batches;
    if (batch) work(batch.items);
    schedule();
  }

  function work(items: readonly Item[]): void {
    for (let bytes = 0; bytes < sliceBytes && at < items.length; at++) bytes += cool(items[at] as Item);
    if (at < items.length) return;
    at = 0;
    batches.shift();
  }

  return {
    add(items) {
      batches.push({ items, due: clock.steady() + rest });
      schedule();
    },
    stop() {
      isStopped = true;
      clock.clearTimeout(timer);
    },
  };
}
