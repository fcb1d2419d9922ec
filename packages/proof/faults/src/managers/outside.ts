import type { Clock } from "@operator-path/client";
import type { Life } from "./life.ts";
import type { DnsRecord, Records } from "./reference/site.ts";

/** The DNS server outside of the cluster, with faults. */
export interface Outside {
  readonly records: ReadonlyMap<string, DnsRecord>;
  /** Returns a client for a process: its changes are effects of that process. */
  client(life: Pick<Life, "look" | "effect">): Records;
  /** Makes the next calls fail: before or after their effect. */
  fail(times: number, when: "before" | "after"): void;
  /** Delays every answer. */
  delay(milliseconds: number): void;
  /** Another client changes or removes a record. */
  drift(name: string, record: DnsRecord | undefined): void;
  heal(): void;
}

export interface OutsideOptions {
  clock: Clock;
  /** Called before the effect of a call. */
  onSet(name: string, record: DnsRecord): void;
  onRemove(name: string, uid: string): void;
}

export function createOutside({ clock, onSet, onRemove }: OutsideOptions): Outside {
  const records = new Map<string, DnsRecord>();
  let failures: ("before" | "after")[] = [];
  let late = 0;

  async function call<T>(act: () => T): Promise<T> {
    const failure = failures.shift();
    // Only the answer is late: no operator could guard against a change that arrives after its process has
    // ended.
    const value = failure === "before" ? undefined : act();
    if (late > 0) await clock.sleep(late);
    if (failure === "before") throw new Error("the DNS server rejects the call");
    if (failure === "after") throw new Error("the DNS server does not answer");
    return value as T;
  }

  return {
    records,
    client: ({ look, effect }) => ({
      get: (name) => look(() => call(() => records.get(name))),
      set: (name, record) =>
        effect(() =>
          call(() => {
            onSet(name, record);
            records.set(name, record);
          }),
        ),
      remove: (name, uid) =>
        effect(() =>
          call(() => {
            onRemove(name, uid);
            if (records.get(name)?.uid === uid) records.delete(name);
          }),
        ),
    }),
    fail(times, when) {
      failures = Array.from({ length: times }, () => when);
    },
    delay(milliseconds) {
      late = milliseconds;
    },
    drift(name, record) {
      if (record) records.set(name, record);
      else records.delete(name);
    },
    heal() {
      failures = [];
      late = 0;
    },
  };
}
