/** Things that come in at one end and are read at the other. Tells its source when to pause. */
export interface Queue<T> {
  push(item: T): void;
  /** No more will come. */
  end(): void;
  readonly items: AsyncIterable<T>;
}

export interface QueueOptions<T> {
  /** Called whenever an item has been taken. */
  onRead?(item: T): void;
  /** Of how many that nobody has read the newest are kept. Default: all. */
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
