import { hostname } from "node:os";
import {
  type Client,
  type Clock,
  defineResource,
  type KubeObject,
  type ObjectReference,
} from "@operator-path/client";
import { microTime } from "../micro-time.ts";
import type { EventQueue } from "./event-queue.ts";
import {
  type EventSink,
  eventName,
  noteLimit,
  type Observation,
  reasonLimit,
  truncate,
} from "./observation.ts";

/** The fields of an events.k8s.io/v1 Event that this file sets. */
interface SeriesEvent extends KubeObject {
  eventTime: string;
  reportingController: string;
  reportingInstance: string;
  action: string;
  reason: string;
  regarding: ObjectReference;
  related?: ObjectReference;
  note: string;
  type: string;
  series?: { count: number; lastObservedTime: string };
}

const seriesEvents = defineResource<SeriesEvent>({
  group: "events.k8s.io",
  version: "v1",
  kind: "Event",
  plural: "events",
  namespaced: true,
});

/** A series without a new Event for this long is finished (client-go: finishTime). */
const finishTime = 6 * 60_000;
/**
 * An active series is written this often (client-go: refreshTime): the server deletes an Event after an hour.
 */
const refreshTime = 30 * 60_000;
/** client-go has no limit. */
const maxSeries = 4096;

interface Series {
  event: SeriesEvent;
  count: number;
  writtenCount: number;
  /** For the Event. Everything else uses the steady clock. */
  lastObservedTime: string;
  observedAt: number;
  writtenAt: number;
}

/**
 * Writes events.k8s.io/v1 Events (client-go: tools/events).
 *
 * The first Event is written at once. The second turns it into a series. All further Events only raise the
 * count. The count is written every half hour, when the series ends, and on a flush.
 *
 * Events belong to one series if they differ only in time, note and the resourceVersion of their objects.
 * client-go includes the resourceVersion, so a controller that writes status never gets a series there.
 *
 * @throws TypeError if `component` is not a qualified name, because the server would reject every Event
 */
export function createEventSeries(
  client: Client,
  { component, host, clock, queue }: { component: string; host?: string; clock: Clock; queue: EventQueue },
): EventSink {
  if (!/^([a-z0-9]([-a-z0-9.]*[a-z0-9])?\/)?[A-Za-z0-9]([-\w.]{0,61}[A-Za-z0-9])?$/.test(component)) {
    throw new TypeError(
      `component ${JSON.stringify(component)} is not a qualified name, which events.k8s.io requires; use for example "memcached-controller" or "example.com/memcached-controller"`,
    );
  }
  const reportingInstance = truncate(`${component}-${host ?? hostname()}`, reasonLimit);
  const all = new Map<string, Series>();
  let timer: unknown;

  function eventOf({ regarding, related, type, reason, message, action }: Observation): SeriesEvent {
    return {
      apiVersion: "events.k8s.io/v1",
      kind: "Event",
      metadata: { name: eventName(regarding.name ?? ""), namespace: regarding.namespace || "default" },
      eventTime: microTime(clock.now()),
      reportingController: component,
      reportingInstance,
      action: truncate(action || reason, reasonLimit),
      reason: truncate(reason, reasonLimit),
      regarding,
      ...(related && { related }),
      note: truncate(message, noteLimit),
      type,
    };
  }

  function write(series: Series): void {
    const { event, count, lastObservedTime } = series;
    const { name = "", namespace = "default" } = event.metadata ?? {};
    const resource = client.resource(seriesEvents).namespace(namespace);
    series.writtenCount = count;
    series.writtenAt = clock.steady();
    const what = `${event.reason} about ${event.regarding.name}`;
    if (count === 1) {
      queue.push({ what, create: () => resource.create(event) });
      return;
    }
    const change = { series: { count, lastObservedTime } };
    queue.push({
      what,
      create: () => resource.create({ ...event, ...change }),
      patch: () => resource.patch(name, change, { type: "merge" }),
    });
  }

  const isUnwritten = ({ count, writtenCount }: Series) => count > writtenCount;
  const isFinished = ({ observedAt }: Series) => clock.steady() - observedAt >= finishTime;

  function forget(key: string, series: Series): void {
    if (isUnwritten(series)) write(series);
    all.delete(key);
  }

  function tick(): void {
    timer = undefined;
    for (const [key, series] of all) {
      if (isFinished(series)) forget(key, series);
      else if (isUnwritten(series) && clock.steady() - series.writtenAt >= refreshTime) write(series);
    }
    schedule();
  }

  /** Sets a timer only while there is something to write, so that the timer keeps no idle process alive. */
  function schedule(): void {
    if (timer === undefined && [...all.values()].some(isUnwritten))
      timer = clock.setTimeout(tick, finishTime);
  }

  return {
    record(observation) {
      const event = eventOf(observation);
      const { regarding, related, type, reason, action } = event;
      const about = [regarding, related].map((reference) => ({ ...reference, resourceVersion: "" }));
      const key = JSON.stringify([type, reason, action, about]);
      const now = clock.steady();
      const lastObservedTime = microTime(clock.now());
      let series = all.get(key);
      if (series && isFinished(series)) {
        forget(key, series);
        series = undefined;
      }
      if (series) {
        series.count++;
        series.observedAt = now;
        series.lastObservedTime = lastObservedTime;
        if (series.count === 2) write(series);
        else if (timer === undefined) schedule();
        return;
      }
      series = { event, count: 1, writtenCount: 0, lastObservedTime, observedAt: now, writtenAt: now };
      all.set(key, series);
      write(series);
      for (const [oldest, other] of all) {
        if (all.size <= maxSeries) break;
        forget(oldest, other);
      }
    },
    flush() {
      clock.clearTimeout(timer);
      timer = undefined;
      for (const series of all.values()) if (isUnwritten(series)) write(series);
    },
  };
}
