import { abortable } from "@operator-path/client";
import type { EventHandler } from "../handler/event-handler.ts";
import type { Predicate } from "../predicate/predicate.ts";
import type { Request } from "../reconcile/request.ts";
import { deliver } from "./deliver.ts";
import { genericEvent } from "./object-event.ts";
import type { Source } from "./source.ts";

/** Configures `channelSource`. */
export interface ChannelSourceOptions<T extends object> {
  predicates?: readonly Predicate<T>[] | undefined;
}

/**
 * Creates a source for events from outside the cluster, for example a webhook of a code host. Each object of
 * the stream is an event of type "generic". `createChannel` creates a stream to send to. Go: source.Channel.
 */
export function channelSource<T extends object, R = Request>(
  stream: AsyncIterable<T>,
  handler: EventHandler<T, R>,
  { predicates = [] }: ChannelSourceOptions<T> = {},
): Source<R> {
  // Subscribes now, so that objects sent before the start are not lost.
  const objects = stream[Symbol.asyncIterator]();
  return {
    name: "channel source",
    start(queue, context) {
      const { signal, log } = context;
      const delivery = { ...context, handler, predicates, queue };
      async function run(): Promise<void> {
        try {
          for (;;) {
            const next = await abortable(objects.next(), signal);
            if (next.done) return;
            await deliver(delivery, genericEvent(next.value));
          }
        } catch (error) {
          if (!signal.aborted) log.error({ error }, "A channel source failed and delivers nothing more");
        }
        // Not awaited: a generator that waits for something else would end only when that happens.
        void objects.return?.()?.catch(() => {});
      }
      void run();
    },
  };
}

/**
 * A stream to send objects to. Each channelSource of it receives everything sent after the source was
 * created.
 */
export interface Channel<T> extends AsyncIterable<T> {
  /** Sends an object to all sources of this channel. */
  send(object: T): void;
  /** Ends the stream. */
  close(): void;
}

/** Configures `createChannel`. */
export interface ChannelOptions {
  /**
   * The maximum number of objects that wait. When it is exceeded, the oldest are dropped. Set it for streams
   * whose events recur: a replica that does not lead receives nothing and otherwise stores everything until
   * it leads. Default: no limit. Go's channel blocks the sender instead.
   */
  limit?: number | undefined;
}

/**
 * Creates a stream to send objects to, for `channelSource`.
 *
 * @throws RangeError when the limit is below 1
 */
export function createChannel<T>({ limit = Number.POSITIVE_INFINITY }: ChannelOptions = {}): Channel<T> {
  if (!(limit >= 1)) throw new RangeError(`createChannel: limit is ${limit}: set a number of at least 1`);
  interface Reader {
    values: T[];
    /** Index of the next value. Shifting each value would move all the others. */
    taken: number;
    wake: (() => void) | undefined;
  }
  const readers = new Set<Reader>();
  let closed = false;

  function take(reader: Reader): T {
    const value = reader.values[reader.taken++] as T;
    const { length } = reader.values;
    if (reader.taken === length || (reader.taken > 1_000 && 2 * reader.taken > length)) {
      reader.values = reader.values.slice(reader.taken);
      reader.taken = 0;
    }
    return value;
  }

  function wakeAll(): void {
    for (const reader of readers) reader.wake?.();
  }

  return {
    send(object) {
      if (closed) throw new Error("the channel is closed: nothing can be sent to it");
      for (const reader of readers) {
        reader.values.push(object);
        if (reader.values.length - reader.taken > limit) take(reader);
      }
      wakeAll();
    },
    close() {
      closed = true;
      wakeAll();
    },
    [Symbol.asyncIterator]() {
      const reader: Reader = { values: [], taken: 0, wake: undefined };
      readers.add(reader);
      return {
        async next() {
          const isEmpty = () => reader.taken >= reader.values.length;
          while (isEmpty() && !closed && readers.has(reader)) {
            await new Promise<void>((resolve) => {
              reader.wake = resolve;
            });
          }
          return isEmpty()
            ? { done: true as const, value: undefined }
            : { done: false as const, value: take(reader) };
        },
        async return() {
          readers.delete(reader);
          reader.values = [];
          reader.taken = 0;
          reader.wake?.();
          return { done: true as const, value: undefined };
        },
      };
    },
  };
}
