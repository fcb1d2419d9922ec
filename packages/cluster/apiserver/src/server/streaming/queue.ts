/** A queue of items that tells its source when to pause. */
export interface Queue<T> {
  push(item: T): void;
  /** Ends the queue: no items follow. */
  end(): void;
  readonly items: AsyncIterable<T>;
}

export interface QueueOptions<T> {
  /** Called for each item that is read. */
  onRead?(item: T): void;
  /** How many of the newest unread items are kept. Default: all. */
  keep?: number;
}

export function createQueue<T>({ onRead, keep = Infinity }: QueueOptions<T> = {}): Queue<T> {
  const waiting: T[] = [];
  let ended = false;
  let wake = () => {};

  async function* read(): AsyncGenerator<T> {
    for (;;) {
      const item = waiting.shift();
      if (item !== undefined) {
        onRead?.(item);
        yield item;
      } else if (ended) {
        return;
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  }

  return {
    push(item) {
      if (ended) return;
      waiting.push(item);
      if (waiting.length > keep) waiting.shift();
      wake();
    },
    end() {
      ended = true;
      wake();
    },
    items: read(),
  };
}
