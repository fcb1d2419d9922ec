/** A stream of bytes with one reader. */
export interface Channel extends AsyncIterable<Uint8Array> {
  push(bytes: Uint8Array): void;
  /** Ends the stream after the pushed bytes. */
  end(): void;
  /** Breaks the stream. Pushed bytes that were not read are lost, as with a reset socket. */
  fail(error: unknown): void;
  /** True while the stream accepts bytes and its reader has not left. */
  readonly open: boolean;
}

/** Returns a new channel. Calls `onClosed` once: after an end, a failure, or when the reader leaves. */
export function createChannel(onClosed: () => void = () => {}): Channel {
  const waiting: Uint8Array[] = [];
  let reader: PromiseWithResolvers<IteratorResult<Uint8Array>> | undefined;
  let state: "open" | "ended" | "failed" | "left" = "open";
  let failure: unknown;

  function close(to: typeof state): void {
    if (state !== "open") return;
    state = to;
    onClosed();
  }

  function serve(): void {
    if (!reader) return;
    const answer = reader;
    const bytes = waiting.shift();
    if (bytes) answer.resolve({ value: bytes, done: false });
    else if (state === "failed") answer.reject(failure);
    else if (state !== "open") answer.resolve({ value: undefined, done: true });
    else return;
    reader = undefined;
  }

  return {
    push(bytes) {
      if (state !== "open" || bytes.length === 0) return;
      waiting.push(bytes);
      serve();
    },
    end() {
      close("ended");
      serve();
    },
    fail(error) {
      if (state !== "open") return;
      waiting.length = 0;
      failure = error;
      close("failed");
      serve();
    },
    get open() {
      return state === "open";
    },
    [Symbol.asyncIterator]() {
      return {
        next() {
          reader = Promise.withResolvers();
          const { promise } = reader;
          serve();
          return promise;
        },
        async return() {
          waiting.length = 0;
          close("left");
          serve();
          return { value: undefined, done: true };
        },
      };
    },
  };
}
