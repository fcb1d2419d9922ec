import type { Clock, TimerHandle } from "@operator-path/client";

export interface CoolerOptions {
  clock: Clock;
  /** Milliseconds that a batch is left alone. Default 30,000. */
  rest?: number;
  /** Milliseconds between two slices of work. Default 10. */
  pause?: number;
  /** Bytes of work after which a slice ends: a millisecond's, more or less. Default 64 KiB. */
  sliceBytes?: number;
}

/** Works through batches some time after they were given, a little at a time, so that nobody has to wait for it. */
export interface Cooler<Item> {
  add(batch: readonly Item[]): void;
  /** Nothing is worked on from here on, and no timer is left. */
  stop(): void;
}

/**
 * @param cool does the work for one item, and says how many bytes it was
 */
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
