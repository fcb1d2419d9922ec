import { type Client, type Clock, type Event, events } from "@operator-path/client";
import { createSharedInformer } from "@operator-path/informers";
import type { InformerRuns } from "./informer-runs.ts";
import type { EventView, TimelineEntry } from "./wire.ts";

export interface EventsOptions {
  readonly client: Client;
  /** Empty: all. */
  readonly namespaces: readonly string[];
  readonly runs: InformerRuns;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  log(line: string): void;
  /**
   * Called for each Event, also for those that existed before.
   *
   * @param revision the number of its write
   */
  onEvent(entry: Omit<TimelineEntry, "seq">, isInInitialList: boolean, revision: number): void;
}

const mostEvents = 50;
const mostObjects = 2000;

/** Watches Events. Returns a function that returns the newest Events of an object, newest first. */
export function watchEvents(options: EventsOptions): (uid: string) => EventView[] {
  const { client, namespaces, runs, signal, clock, log } = options;
  const byObject = new Map<string, EventView[]>();

  function onEvent(event: Event, isInInitialList: boolean): void {
    const view = eventViewOf(event, clock.now());
    const { uid = "", kind = "", name = "", namespace = "" } = event.involvedObject;
    const list = byObject.get(uid) ?? [];
    // A repeated Event replaces its older state.
    const rest = list.filter(({ reason, message }) => reason !== view.reason || message !== view.message);
    byObject.delete(uid);
    byObject.set(uid, [view, ...rest].sort((a, b) => b.at - a.at).slice(0, mostEvents));
    const [oldest] = byObject.keys();
    if (byObject.size > mostObjects && oldest !== undefined) byObject.delete(oldest);
    const text = `${view.reason}: ${view.message}`;
    const at = isInInitialList ? view.at : clock.now();
    const entry = { uid, kind, name, namespace, text, at, type: "event", by: view.source } as const;
    const revision = Number(event.metadata.resourceVersion);
    const { warning, count } = view;
    options.onEvent({ ...entry, warning, count }, isInInitialList, revision);
  }

  for (const namespace of namespaces.length > 0 ? namespaces : [undefined]) {
    const informer = createSharedInformer(client, events, {
      ...(namespace !== undefined && { namespace }),
      store: "lazy",
      freeze: false,
      clock,
      log,
    });
    informer.addEventHandler({
      added: (event, isInInitialList) => onEvent(event, isInInitialList),
      updated: (_old, event) => onEvent(event, false),
    });
    runs.run(informer, signal);
  }
  return (uid) => byObject.get(uid) ?? [];
}

function eventViewOf(event: Event, now: number): EventView {
  const time =
    event.lastTimestamp ?? event.series?.lastObservedTime ?? event.eventTime ?? event.firstTimestamp;
  return {
    at: Date.parse(String(time ?? "")) || now,
    warning: event.type === "Warning",
    reason: event.reason ?? "",
    message: event.message ?? "",
    source: event.reportingComponent || event.source?.component || "",
    count: event.series?.count ?? event.count ?? 1,
  };
}
