import { type Client, type Clock, type KubeObject, systemClock } from "@operator-path/client";
import { describe, guardLog } from "../describe.ts";
import { createCoreEvents } from "./core-events.ts";
import { createEventQueue } from "./event-queue.ts";
import { createEventSeries } from "./event-series.ts";
import { referenceTo } from "./observation.ts";

export interface EventRecorderOptions {
  /** The source of the Events: the From column of `kubectl describe`. */
  component: string;
  /** The node that reports the Events, for a kubelet. */
  host?: string | undefined;
  /**
   * The API group for the Events; `kubectl describe` and `kubectl events` show both. Default "v1": it counts,
   * combines and limits Events as client-go's tools/record does. "events.k8s.io/v1" is what
   * controller-runtime's GetEventRecorder writes: it has series and no limit. It needs its own RBAC rule
   * (create and patch `events` in that group).
   */
  api?: "v1" | "events.k8s.io/v1" | undefined;
  clock?: Clock | undefined;
  random?: (() => number) | undefined;
  /** Receives Events that could not be written. Default: a line on stderr. */
  log?(line: string): void;
}

/**
 * Writes Events about objects (client-go: EventRecorder with EventCorrelator, or tools/events).
 *
 * Promises:
 * - It never throws, never delays the caller, and writes Events in order.
 * - Texts that are too long for the API are truncated.
 * - core/v1: a repeated Event about the same object raises the count of the first. The tenth Event within ten
 *   minutes that differs only in its message, and all later ones, are combined into one. After 25 Events of
 *   one type about one object, it writes one every five minutes, with the count of those between.
 * - events.k8s.io/v1: Events that differ only in their message form a series. A series ends after six quiet
 *   minutes.
 *
 * Does not promise delivery. It drops and logs an Event in three cases: it failed twelve times (about two
 * minutes), the server rejects it, or 1,000 Events are already queued. The next Event of the same kind has
 * the full count.
 */
export interface EventRecorder {
  event(
    object: KubeObject,
    type: "Normal" | "Warning",
    /** In UpperCamelCase, for machines. */
    reason: string,
    /** For people. */
    message: string,
    options?: {
      /** The part of the object that the Event is about: "spec.containers{payment}". */
      fieldPath?: string | undefined;
      /** The action taken, in UpperCamelCase, for machines. Default with events.k8s.io/v1: the reason. */
      action?: string | undefined;
      /** A second object that the Event concerns. */
      related?: KubeObject | undefined;
    },
  ): void;
  /**
   * Writes all queued Events, including the counts of series, without the long pauses between attempts.
   * Resolves when everything recorded so far was written or dropped. After 10 s, or when the signal aborts,
   * it drops the rest.
   */
  flush(signal?: AbortSignal): Promise<void>;
}

/**
 * @throws TypeError if `component` is empty, if it is not a qualified name with events.k8s.io/v1, or if `api`
 *   is unknown
 */
export function createEventRecorder(client: Client, options: EventRecorderOptions): EventRecorder {
  const { component, host, api = "v1", clock = systemClock, random = Math.random } = options;
  const log = guardLog(options.log ?? ((line) => console.error(line)));
  if (!component) {
    throw new TypeError(
      `component is ${JSON.stringify(component)}: name the source of the Events, for example "memcached-controller"`,
    );
  }
  if (api !== "v1" && api !== "events.k8s.io/v1") {
    throw new TypeError(`api is ${JSON.stringify(api)}: choose "v1" or "events.k8s.io/v1"`);
  }
  const queue = createEventQueue({ clock, random, log });
  const create = api === "v1" ? createCoreEvents : createEventSeries;
  const sink = create(client, { component, host, clock, queue });
  return {
    event(object, type, reason, message, { fieldPath, action, related } = {}) {
      try {
        const problem = problemWith(object, type);
        if (problem)
          return log(`event ${reason} about ${object.metadata?.name} was not recorded: ${problem}`);
        sink.record({
          regarding: referenceTo(object, fieldPath),
          ...(related && { related: referenceTo(related) }),
          ...{ type, reason, message, action },
        });
      } catch (error) {
        // A caller without a type checker may pass anything. A failed Event must not end its work.
        log(`event ${reason} could not be recorded: ${describe(error)}`);
      }
    },
    flush(signal) {
      sink.flush();
      return queue.flush(signal);
    },
  };
}

/**
 * Returns why an Event is invalid. client-go rejects the same: an unknown type, and a reference without a
 * kind.
 */
function problemWith(object: KubeObject, type: string): string | undefined {
  if (type !== "Normal" && type !== "Warning") {
    return `its type is ${JSON.stringify(type)}; use "Normal" or "Warning"`;
  }
  return object.kind ? undefined : "the object has no kind; set apiVersion and kind";
}
