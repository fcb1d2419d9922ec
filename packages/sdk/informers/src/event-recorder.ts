import { randomBytes } from "node:crypto";
import {
  type Client,
  type Clock,
  type Event,
  events,
  isNotFound,
  type KubeObject,
  systemClock,
} from "@operator-path/client";

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
 * within ten minutes raises the count of the first one; after 25 about one object only one more every five minutes.
 * Does not promise delivery: an Event that fails three times is dropped, and the log says so.
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
  /** Resolves when everything recorded so far was written or dropped. */
  flush(): Promise<void>;
}

const sameWithin = 10 * 60_000;
const burst = 25;
const refill = 5 * 60_000;

export function createEventRecorder(client: Client, options: EventRecorderOptions): EventRecorder {
  const { component, host, clock = systemClock, log = (line) => console.error(line) } = options;
  const written = new Map<string, { name: string; count: number; at: number }>();
  const allowances = new Map<string, { tokens: number; at: number }>();
  let tail: Promise<void> = Promise.resolve();

  function isSpam(uid: string): boolean {
    const now = clock.now();
    const { tokens, at } = allowances.get(uid) ?? { tokens: burst, at: now };
    const left = Math.min(burst, tokens + (now - at) / refill);
    allowances.set(uid, { tokens: left >= 1 ? left - 1 : left, at: now });
    return left < 1;
  }

  /** Both maps hold what is recent, and nothing else. */
  function sweep(): void {
    const now = clock.now();
    for (const [key, { at }] of written) if (now - at > sameWithin) written.delete(key);
    for (const [key, { at }] of allowances) if (now - at > burst * refill) allowances.delete(key);
  }

  async function write(key: string, event: Event): Promise<void> {
    const resource = client.resource(events).namespace(event.metadata.namespace ?? "default");
    const earlier = written.get(key);
    if (earlier && clock.now() - earlier.at <= sameWithin) {
      const count = earlier.count + 1;
      const patch = { count, lastTimestamp: event.lastTimestamp };
      try {
        await resource.patch(earlier.name, patch, { type: "merge" });
        written.set(key, { name: earlier.name, count, at: clock.now() });
        return;
      } catch (error) {
        // Events are short-lived: the first one may be gone.
        if (!isNotFound(error)) throw error;
      }
    }
    await resource.create(event);
    written.set(key, { name: event.metadata.name ?? "", count: 1, at: clock.now() });
  }

  async function persist(key: string, event: Event): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await write(key, event);
      } catch (error) {
        const refused = typeof error === "object" && error !== null && "status" in error;
        if (refused || attempt === 3) {
          return log(
            `event ${event.reason} about ${event.involvedObject.name} was dropped: ${error instanceof Error ? error.message : error}`,
          );
        }
        await clock.sleep(500 * attempt);
      }
    }
  }

  return {
    event(object, type, reason, message, { fieldPath } = {}) {
      const { name = "", namespace, uid = "", resourceVersion } = object.metadata ?? {};
      sweep();
      if (isSpam(`${uid}/${namespace}/${name}`)) return;
      const now = new Date(clock.now()).toISOString().replace(/\.\d+Z$/, "Z");
      const event: Event = {
        apiVersion: "v1",
        kind: "Event",
        metadata: { name: `${name}.${randomBytes(8).toString("hex")}`, namespace: namespace ?? "default" },
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
      const key = [namespace, name, uid, fieldPath, type, reason, message].join("\n");
      tail = tail.then(() => persist(key, event));
    },
    async flush() {
      await tail;
    },
  };
}
