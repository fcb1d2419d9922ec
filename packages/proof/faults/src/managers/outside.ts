import type { Clock } from "@operator-path/client";
import type { Life } from "./life.ts";
import type { DnsRecord, Records } from "./reference/records.ts";

/** What is outside of the cluster, and goes wrong as told. */
export interface Outside {
  readonly records: ReadonlyMap<string, DnsRecord>;
  /** As a process calls it: its changes are its effects. */
  client(life: Pick<Life, "look" | "effect">): Records;
  /** The next calls fail: before they have their effect, or after it. */
  fail(times: number, when: "before" | "after"): void;
  /** Every call takes so long. */
  delay(milliseconds: number): void;
  /** Somebody else changes a record, or takes it away. */
  drift(name: string, record: DnsRecord | undefined): void;
  heal(): void;
}

export interface OutsideOptions {
  clock: Clock;
  /** Before the effect of a call. */
  onSet(name: string, record: DnsRecord): void;
  onRemove(name: string, uid: string): void;
}

export function createOutside({ clock, onSet, onRemove }: OutsideOptions): Outside {
  const records = new Map<string, DnsRecord>();
  let failures: ("before" | "after")[] = [];
  let late = 0;

  async function call<T>(act: () => T): Promise<T> {
    const failure = failures.shift();
    // Only the answer is late: a change that arrives after its process has ended is one that nobody could guard against.
    const value = failure === "before" ? undefined : act();
    if (late > 0) await clock.sleep(late);
    if (failure === "before") throw new Error("the DNS server refuses");
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
