import { abortable } from "@operator-path/client";
import type { EventHandler } from "../handler/event-handler.ts";
import type { Predicate } from "../predicate/predicate.ts";
import type { Request } from "../reconcile/request.ts";
import { deliver } from "./deliver.ts";
import { genericEvent } from "./object-event.ts";
import type { Source } from "./source.ts";

export interface ChannelSourceOptions<T extends object> {
  predicates?: readonly Predicate<T>[] | undefined;
}

/**
 * Events that come from outside the cluster, a webhook of a code host, say (Go: source.Channel): each object of the
 * stream is one of the type "generic". `createChannel` makes a stream to send to.
 */
export function channelSource<T extends object, R = Request>(
  stream: AsyncIterable<T>,
  handler: EventHandler<T, R>,
  { predicates = [] }: ChannelSourceOptions<T> = {},
): Source<R> {
  // From here on, not from the start: what is sent in between is not lost.
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
          if (!signal.aborted) log.error({ error }, "A channel source failed: it delivers nothing more");
        }
        // A generator that waits for something else would not end before that has come: nobody waits for it.
        void objects.return?.()?.catch(() => {});
      }
      void run();
    },
  };
}

/** A stream that others send to. Each channelSource of it gets everything that is sent after it was made. */
export interface Channel<T> extends AsyncIterable<T> {
  send(object: T): void;
  /** Nothing more comes. */
  close(): void;
}

export interface ChannelOptions {
  /**
   * What so many others have been sent after is taken by nobody any more: for a stream that tells of things that come up
   * again. A replica that does not lead takes nothing, and keeps all that is sent to it until it does. Default: no limit.
   * (Go's channel holds up who sends.)
   */
  limit?: number | undefined;
}

/** @throws RangeError when the limit is none */
export function createChannel<T>({ limit = Number.POSITIVE_INFINITY }: ChannelOptions = {}): Channel<T> {
  if (!(limit >= 1)) throw new RangeError(`createChannel: limit is ${limit}: give a number from 1`);
  interface Reader {
    values: T[];
    /** Of `values` that were taken: to shift each would move all that wait. */
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
      if (closed) throw new Error("the channel is closed: nothing can be sent to it any more");
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
