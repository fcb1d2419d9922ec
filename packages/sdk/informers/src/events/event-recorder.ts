import { type Client, type Clock, type KubeObject, systemClock } from "@operator-path/client";
import { describe, guardLog } from "../describe.ts";
import { createCoreEvents } from "./core-events.ts";
import { createEventQueue } from "./event-queue.ts";
import { createEventSeries } from "./event-series.ts";
import { referenceTo } from "./observation.ts";

export interface EventRecorderOptions {
  /** Who says it: the From column of `kubectl describe`. */
  component: string;
  /** The node that says it, for a kubelet. */
  host?: string | undefined;
  /**
   * The API in which Events are written; `kubectl describe` and `kubectl events` show both. Default "v1", which counts,
   * combines and limits them as client-go's tools/record does. "events.k8s.io/v1" is what controller-runtime's
   * GetEventRecorder writes: series, and no limit. It needs a rule of its own (create and patch `events` in that group).
   */
  api?: "v1" | "events.k8s.io/v1" | undefined;
  clock?: Clock | undefined;
  random?: (() => number) | undefined;
  /** Told of Events that could not be written. Default: a line on stderr. */
  log?(line: string): void;
}

/**
 * Writes Events about objects (client-go: EventRecorder with EventCorrelator, or tools/events).
 *
 * Promises: never throws, never delays the caller; Events are written in order; core/v1: the same Event about the same
 * object raises the count of the first one; ten in ten minutes that differ in their message only are continued as one;
 * after 25 of a type about one object only one more every five minutes, with the count of those between.
 * events.k8s.io/v1: Events that differ in their message only are one series, which ends after six quiet minutes.
 * Texts that are too long for the API are cut.
 * Does not promise delivery: an Event that fails twelve times in two minutes is dropped, as is one that the server
 * refuses, or that finds 1,000 waiting, and the log says so. The next one of its kind has the whole count.
 */
export interface EventRecorder {
  event(
    object: KubeObject,
    type: "Normal" | "Warning",
    /** UpperCamelCase, for machines. */
    reason: string,
    /** For people. */
    message: string,
    options?: {
      /** Which part of the object: "spec.containers{payment}". */
      fieldPath?: string | undefined;
      /** What was done, UpperCamelCase, for machines. Default with events.k8s.io/v1: the reason. */
      action?: string | undefined;
      /** Another object that has to do with it. */
      related?: KubeObject | undefined;
    },
  ): void;
  /**
   * Writes what is waiting, counts of series included, without the long pauses between tries. Resolves when everything
   * recorded so far was written or dropped; when the signal aborts, or after 10 s, the rest is dropped.
   */
  flush(signal?: AbortSignal): Promise<void>;
}

/** @throws TypeError when `component` is empty or, with events.k8s.io/v1, no qualified name; when there is no such `api` */
export function createEventRecorder(client: Client, options: EventRecorderOptions): EventRecorder {
  const { component, host, api = "v1", clock = systemClock, random = Math.random } = options;
  const log = guardLog(options.log ?? ((line) => console.error(line)));
  if (!component) {
    throw new TypeError(
      `component is ${JSON.stringify(component)}: name who records, like "memcached-controller"`,
    );
  }
  if (api !== "v1" && api !== "events.k8s.io/v1") {
    throw new TypeError(`api is ${JSON.stringify(api)}: there are "v1" and "events.k8s.io/v1"`);
  }
  const queue = createEventQueue({ clock, random, log });
  const create = api === "v1" ? createCoreEvents : createEventSeries;
  const sink = create(client, { component, host, clock, queue });
  return {
    event(object, type, reason, message, { fieldPath, action, related } = {}) {
      try {
        const flaw = flawOf(object, type);
        if (flaw) return log(`event ${reason} about ${object.metadata?.name} is not recorded: ${flaw}`);
        sink.record({
          regarding: referenceTo(object, fieldPath),
          ...(related && { related: referenceTo(related) }),
          ...{ type, reason, message, action },
        });
      } catch (error) {
        // Of a caller that has no type checker: what it says must not end what it does.
        log(`event ${reason} could not be recorded: ${describe(error)}`);
      }
    },
    flush(signal) {
      sink.settle();
      return queue.flush(signal);
    },
  };
}

/** What client-go refuses, too: an Event of no known type, and a reference that leads nowhere. */
function flawOf(object: KubeObject, type: string): string | undefined {
  if (type !== "Normal" && type !== "Warning") {
    return `its type is ${JSON.stringify(type)}; there are "Normal" and "Warning"`;
  }
  return object.kind ? undefined : "the object has no kind; give it apiVersion and kind";
}
