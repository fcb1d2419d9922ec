import type { ChildProcess } from "node:child_process";
import type { Access, ClusterFaults, FaultEvent } from "./cluster-faults.ts";

/** What the parent sends over IPC, after the start. */
type Call = { readonly type: "fault"; readonly id: number } & (
  | { readonly name: "watches" | "breakWatches" | "allow" | "writes" }
  | { readonly name: "refuse"; readonly access: Access | undefined }
);

type FromChild =
  | { readonly type: "fault-result"; readonly id: number; readonly result?: unknown }
  | { readonly type: "fault-event"; readonly event: FaultEvent };

/** Events of one second beyond these are dropped: an operator may repeat a refused write without a pause. */
const mostEvents = 100;

/** Serves a cluster's faults to the parent of this process, over IPC. No other process can reach them. */
export function serveFaults(faults: ClusterFaults, now: () => number): void {
  let second = 0;
  let sent = 0;
  const send = (message: FromChild): void => {
    if (process.connected) process.send?.(message);
  };
  faults.subscribe((event) => {
    const current = Math.floor(now() / 1000);
    if (current !== second) [second, sent] = [current, 0];
    if (sent++ < mostEvents) send({ type: "fault-event", event });
  });
  process.on("message", (message: Call) => {
    if (message.type !== "fault") return;
    const call = message.name === "refuse" ? faults.refuse(message.access) : faults[message.name]();
    void call.then((result) => send({ type: "fault-result", id: message.id, result }));
  });
}

/** Returns the faults of the cluster in a child process. Calls reject when the child has ended. */
export function remoteFaults(child: ChildProcess): ClusterFaults {
  const listeners = new Set<(event: FaultEvent) => void>();
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let last = 0;
  child.on("message", (message: FromChild) => {
    if (message.type === "fault-event") for (const listener of listeners) listener(message.event);
    if (message.type !== "fault-result") return;
    waiting.get(message.id)?.resolve(message.result);
    waiting.delete(message.id);
  });
  child.once("exit", () => {
    for (const { reject } of waiting.values()) reject(new Error("the cluster has ended"));
    waiting.clear();
  });

  function call(
    what: { name: "watches" | "breakWatches" | "allow" | "writes" } | { name: "refuse"; access?: Access },
  ): Promise<unknown> {
    if (!child.connected) return Promise.reject(new Error("the cluster has ended"));
    const id = ++last;
    const answer = Promise.withResolvers<unknown>();
    waiting.set(id, answer);
    child.send({ type: "fault", id, ...what }, (error) => error && answer.reject(error));
    return answer.promise;
  }

  return {
    watches: () => call({ name: "watches" }) as Promise<number>,
    breakWatches: () => call({ name: "breakWatches" }) as Promise<number>,
    refuse: async (access) => void (await call({ name: "refuse", ...(access && { access }) })),
    allow: async () => void (await call({ name: "allow" })),
    writes: () => call({ name: "writes" }) as Promise<readonly Access[]>,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
