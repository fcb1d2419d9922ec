import type { Measure, Task } from "./measurement.ts";
import { goSubjects, nodeSubjects } from "./subjects/names.ts";

export interface Sizes {
  /** Objects of the smaller sync, and of the cache that events change. */
  readonly small: number;
  /** Objects of the larger sync. */
  readonly large: number;
  /** Objects for the bytes that each one takes: so many that the rest of the process hardly counts. */
  readonly kept: number;
  readonly events: number;
  readonly paced: number;
}

export const usualSizes: Sizes = {
  small: 10_000,
  large: 50_000,
  kept: 20_000,
  events: 100_000,
  paced: 3_500,
};
/** Shows that everything works. The figures mean little. */
export const quickSizes: Sizes = { small: 1_000, large: 2_000, kept: 1_000, events: 5_000, paced: 800 };

/** The subjects of every measure. The others take part in their own measures only. */
const main = ["parsed", "lazy", "client-node", "fluent", "client-go"];
const ways = ["parsed-list", "lazy-list", "client-go-watchlist"];

/**
 * The tasks of one round, in this order: each subject beside its peers, so that a slow moment affects all of
 * them.
 */
export function planRound(sizes: Sizes): Task[] {
  const tasks: Task[] = [];
  const add = (
    measure: Measure,
    resource: Task["resource"],
    objects: number,
    events: number,
    subjects: string[],
  ) => {
    for (const subject of subjects) {
      // At a tenth of the speed, all of them would take most of a round. A share gives the same figure.
      const share = measure === "events" && goSubjects.includes(subject) ? 0.3 : 1;
      tasks.push({ measure, subject, resource, objects, events: events * share });
    }
  };
  const { small, large, kept, events, paced } = sizes;
  add("sync", "pods", small, 0, [...main, ...ways, "metadata", "client-node-500", "floor"]);
  add("sync", "caches", small, 0, [...main, ...ways, "floor"]);
  add("sync", "pods", large, 0, [...main, "client-node-500"]);
  add("sync", "caches", large, 0, main);
  add("events", "pods", small, events, [...main, "parsed-objects", "lazy-objects", "floor"]);
  add("events", "caches", small, events, main);
  add("kept", "pods", kept, 0, [...main, "lazy-cold", "metadata"]);
  add("latency", "pods", small, paced, main);
  return tasks;
}

/** @throws RangeError for an unknown subject */
export function only(tasks: readonly Task[], names: readonly string[]): Task[] {
  const known = [...Object.keys(nodeSubjects), ...goSubjects];
  for (const name of names) {
    if (!known.includes(name))
      throw new RangeError(`unknown subject ${name} (expected one of ${known.join(", ")})`);
  }
  return names.length === 0 ? [...tasks] : tasks.filter(({ subject }) => names.includes(subject));
}
