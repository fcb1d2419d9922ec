import { randomBytes } from "node:crypto";
import {
  type Client,
  type Clock,
  type Event,
  events,
  isAlreadyExists,
  isNotFound,
  type KubeObject,
  systemClock,
} from "@operator-path/client";
import { createEventCorrelator } from "./event-correlator.ts";

export interface EventRecorderOptions {
  /** Who says it: the From column of `kubectl describe`. */
  component: string;
  /** The node that says it, for a kubelet. */
  host?: string;
  clock?: Clock;
  /** Told of Events that could not be written. Default: a line on stderr. */
  log?(line: string): void;
}

/**
 * Writes Events about objects (client-go: EventRecorder with EventCorrelator).
 *
 * Promises: never throws, never delays the caller; Events are written in order; the same Event about the same object
 * within ten minutes raises the count of the first one; ten that differ in their message only are continued as one;
 * after 25 about one object only one more every five minutes, with the count of those between.
 * Does not promise delivery: an Event that fails three times is dropped, as is one that finds 1,000 waiting, and the log
 * says so.
 */
export interface EventRecorder {
  event(
    object: KubeObject,
    type: "Normal" | "Warning",
    /** UpperCamelCase, for machines. */
    reason: string,
    /** For people. */
    message: string,
    /** Which part of the object: "spec.containers{payment}". */
    options?: { fieldPath?: string },
  ): void;
  /** Resolves when everything recorded so far was written or dropped, or when the signal aborts. */
  flush(signal?: AbortSignal): Promise<void>;
}

const longestQueue = 1_000;
/** Names are DNS subdomains. */
const longestName = 253;

export function createEventRecorder(client: Client, options: EventRecorderOptions): EventRecorder {
  const { component, host, clock = systemClock, log = (line) => console.error(line) } = options;
  const correlator = createEventCorrelator(clock);
  let waiting = 0;
  let tail: Promise<void> = Promise.resolve();

  function drop(event: Event, why: unknown): void {
    const cause = why instanceof Error ? why.message : String(why);
    log(`event ${event.reason} about ${event.involvedObject.name} was dropped: ${cause}`);
  }

  async function write(event: Event): Promise<void> {
    const { name = "", namespace = "default" } = event.metadata;
    const resource = client.resource(events).namespace(namespace);
    const { count = 1, lastTimestamp, message } = event;
    try {
      if (count > 1) await resource.patch(name, { count, lastTimestamp, message }, { type: "merge" });
      else await resource.create(event);
    } catch (error) {
      // The answer to an earlier try was lost on the way.
      if (count === 1 && isAlreadyExists(error)) return;
      // Events are short-lived, and not each one is written: the first may be gone.
      if (count === 1 || !isNotFound(error)) throw error;
      await resource.create(event);
    }
  }

  async function persist(event: Event): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await write(event);
      } catch (error) {
        const refused = typeof error === "object" && error !== null && "status" in error;
        if (refused || attempt === 3) return drop(event, error);
        await clock.sleep(500 * attempt);
      }
    }
  }

  return {
    event(object, type, reason, message, { fieldPath } = {}) {
      const { name = "", namespace, uid = "", resourceVersion } = object.metadata ?? {};
      const now = new Date(clock.now()).toISOString().replace(/\.\d+Z$/, "Z");
      const event: Event = {
        apiVersion: "v1",
        kind: "Event",
        metadata: { name: eventName(name), namespace: namespace ?? "default" },
        involvedObject: {
          apiVersion: object.apiVersion,
          kind: object.kind,
          name,
          namespace,
          uid,
          resourceVersion,
          fieldPath,
        },
        type,
        reason,
        message,
        count: 1,
        firstTimestamp: now,
        lastTimestamp: now,
        source: { component, host },
        reportingComponent: component,
        reportingInstance: host ?? "",
      };
      const correlated = correlator.correlate(event);
      if (!correlated) return;
      if (waiting >= longestQueue) return drop(event, `${waiting} others wait to be written`);
      waiting++;
      tail = tail
        .then(() => persist(correlated))
        .finally(() => {
          waiting--;
        });
    },
    async flush(signal) {
      if (signal?.aborted) return;
      const aborted = Promise.withResolvers<void>();
      const onAbort = () => aborted.resolve();
      signal?.addEventListener("abort", onAbort, { once: true });
      await Promise.race([tail, aborted.promise]);
      signal?.removeEventListener("abort", onAbort);
    },
  };
}

/** "<object>.<16 hexadecimal digits>", as client-go names them, and short enough whatever the object's name is. */
function eventName(name: string): string {
  const suffix = `.${randomBytes(8).toString("hex")}`;
  return name.slice(0, longestName - suffix.length).replace(/[^a-z0-9]+$/, "") + suffix;
}
