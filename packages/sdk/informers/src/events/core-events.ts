import { type Client, type Clock, type Event, events } from "@operator-path/client";
import { createEventCorrelator } from "./event-correlator.ts";
import type { EventQueue } from "./event-queue.ts";
import { type EventSink, eventName, type Observation, reasonLimit, truncate } from "./observation.ts";

/** Returns a sink that writes core/v1 Events (client-go: tools/record). */
export function createCoreEvents(
  client: Client,
  { component, host, clock, queue }: { component: string; host?: string; clock: Clock; queue: EventQueue },
): EventSink {
  const correlator = createEventCorrelator(clock);

  function eventOf({ regarding, related, type, reason, message, action }: Observation): Event {
    const now = new Date(clock.now()).toISOString().replace(/\.\d+Z$/, "Z");
    return {
      apiVersion: "v1",
      kind: "Event",
      metadata: { name: eventName(regarding.name ?? ""), namespace: regarding.namespace || "default" },
      involvedObject: regarding,
      type,
      reason: truncate(reason, reasonLimit),
      message,
      count: 1,
      firstTimestamp: now,
      lastTimestamp: now,
      source: { component, host },
      reportingComponent: component,
      reportingInstance: host ?? "",
      ...(action && { action: truncate(action, reasonLimit) }),
      ...(related && { related }),
    };
  }

  return {
    record(observation) {
      const event = correlator.correlate(eventOf(observation));
      if (!event) return;
      const { name = "", namespace = "default" } = event.metadata;
      const { count = 1, lastTimestamp, message } = event;
      const resource = client.resource(events).namespace(namespace);
      queue.push({
        what: `${event.reason} about ${event.involvedObject.name}`,
        create: () => resource.create(event),
        ...(count > 1 && {
          patch: () => resource.patch(name, { count, lastTimestamp, message }, { type: "merge" }),
        }),
      });
    },
    flush() {},
  };
}
