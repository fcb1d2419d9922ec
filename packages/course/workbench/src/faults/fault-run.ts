import { type Client, type Clock, systemClock } from "@operator-path/client";
import { accessName, type ClusterFaults, type FaultEvent } from "@operator-path/cluster";
import type { ClusterModel, TimelineEntry } from "@operator-path/ui";
import type { Outcome } from "../course.ts";
import type { FaultReport, FaultView } from "../protocol.ts";
import type { Terminals } from "../terminals.ts";
import type { Fault } from "./fault.ts";
import { faults } from "./faults.ts";

export interface FaultRunOptions {
  readonly terminals: Pick<Terminals, "find">;
  readonly client: Client;
  readonly model: ClusterModel;
  /** Undefined: the cluster is not the session's own. */
  readonly faults: ClusterFaults | undefined;
  /** Ends the fault. */
  readonly signal: AbortSignal;
  readonly clock?: Clock;
  onChange(report: FaultReport | undefined): void;
}

/** The faults of a page, one at a time, and what has been seen of the last one. */
export interface FaultRun {
  list(): Promise<FaultView[]>;
  report(): FaultReport | undefined;
  /** @param choice one of the fault's `choices` */
  cause(name: Fault["name"], choice?: string): Promise<Outcome>;
  /** Ends a fault that lasts, or else puts its report away. */
  end(): Promise<void>;
}

const notOurs = "This works only on a cluster that this session started, because it disturbs the API server.";
const mostChoices = 6;

export function createFaultRun(options: FaultRunOptions): FaultRun {
  const { model, clock = systemClock } = options;
  let report: FaultReport | undefined;
  let current:
    | { readonly stop: AbortController; readonly end: (() => Promise<void>) | undefined }
    | undefined;
  const unsubscribe = options.faults?.subscribe((event) => model.record(entryOf(event)));
  options.signal.addEventListener("abort", () => unsubscribe?.(), { once: true });

  function set(next: FaultReport | undefined): void {
    report = next;
    options.onChange(next);
  }

  async function choicesOf({ name }: Fault): Promise<readonly string[]> {
    if (name !== "refuse-writes" || !options.faults) return [];
    return (await options.faults.writes()).slice(0, mostChoices).map(accessName);
  }

  /** An account without the right to look gets the reason when it tries. */
  const whyNot = (fault: Fault): Promise<string | undefined> | undefined =>
    fault.whyNot?.(options).catch(() => undefined);

  return {
    report: () => report,
    list: () =>
      Promise.all(
        faults.map(async (fault) => {
          const { name, title, description } = fault;
          const unavailable = fault.inServer && !options.faults ? notOurs : await whyNot(fault);
          return { name, title, description, unavailable, choices: await choicesOf(fault) };
        }),
      ),
    async cause(name, choice) {
      const fault = faults.find((one) => one.name === name);
      if (!fault) throw new Error(`there is no fault ${name}`);
      if (fault.inServer && !options.faults) return { ok: false, text: notOurs };
      const writes = choice === undefined ? [] : ((await options.faults?.writes()) ?? []);
      const access = writes.find((one) => accessName(one) === choice);
      if (choice !== undefined && !access)
        return { ok: false, text: `Your operator has sent no write "${choice}".` };
      current?.stop.abort();
      const stop = new AbortController();
      const signal = AbortSignal.any([options.signal, stop.signal]);
      // An operator may notice a fault before its text is known.
      let seen: readonly string[] = [];
      let caused = false;
      const { ok, text, end } = await fault.cause({
        ...{ ...options, access, clock, signal },
        show(lines) {
          seen = [...lines];
          if (caused && report && !signal.aborted) set({ ...report, seen });
        },
        over(text) {
          if (report && !signal.aborted) set({ ...report, text, lasts: false });
        },
      });
      if (!ok) {
        stop.abort();
        set(undefined);
        return { ok, text };
      }
      caused = true;
      current = { stop, end };
      set({ title: fault.title, text, seen, lasts: end !== undefined });
      return { ok, text };
    },
    async end() {
      if (report?.lasts) return current?.end?.();
      current?.stop.abort();
      current = undefined;
      set(undefined);
    },
  };
}

function entryOf(event: FaultEvent): Omit<TimelineEntry, "seq"> {
  const common = { type: "fault", at: event.at, by: event.client.split(/[ /]/)[0] ?? "", uid: "" } as const;
  if (event.type === "watch-broken")
    return { ...common, ...place(event), text: "the watch lost its connection", warning: true };
  if (event.type === "watch-resumed") {
    const from = event.listed ? "after a new list" : `from resourceVersion ${event.resourceVersion}`;
    return { ...common, ...place(event), text: `watches again, ${from}`, warning: false };
  }
  const { namespace, name, resource: kind, type } = event;
  const text = `${accessName(event)}: ${type === "refused" ? "403 Forbidden" : "accepted again"}`;
  return { ...common, namespace, name, kind, text, warning: type === "refused" };
}

function place({
  resource,
}: {
  readonly resource: string;
}): Pick<TimelineEntry, "kind" | "namespace" | "name"> {
  return { kind: resource, namespace: "", name: "" };
}
