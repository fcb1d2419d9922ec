/** Things that come in at one end and are read at the other. Tells its source when to pause. */
export interface Queue<T> {
  push(item: T): void;
  /** No more will come. */
  end(): void;
  /** Items that nobody has read yet. */
  readonly length: number;
  readonly items: AsyncIterable<T>;
}

/** @param onRead called whenever an item has been taken */
export function createQueue<T>(onRead: () => void = () => {}): Queue<T> {
  const waiting: T[] = [];
  let ended = false;
  let wake = () => {};

  async function* read(): AsyncGenerator<T> {
    for (;;) {
      const item = waiting.shift();
      if (item !== undefined) {
        onRead();
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
      wake();
    },
    end() {
      ended = true;
      wake();
    },
    get length() {
      return waiting.length;
    },
    items: read(),
  };
}
