import type { SubjectName } from "./subjects.ts";

/** What one fresh process measures, on a fresh cluster. */
export interface Task {
  readonly subject: SubjectName;
  /** Memcacheds that there are. */
  readonly objects: number;
  /** maxConcurrentReconciles. */
  readonly workers: number;
  /** A folder for a CPU profile (Node only). A profile costs time: these figures do not count. */
  readonly profile?: string;
}

/** An amount of work. */
export type Load = Pick<Task, "objects" | "workers">;

export interface Plan {
  /** Measured in each round. */
  readonly loads: readonly Load[];
  /** Measured once, in the end: they take minutes. */
  readonly once: readonly Load[];
  /** Milliseconds: what is measured once is left out when it would take longer in all. */
  readonly budget: number;
}

const small: readonly Load[] = [
  { objects: 1_000, workers: 1 },
  { objects: 1_000, workers: 4 },
];

export const usualPlan: Plan = {
  loads: small,
  once: [{ objects: 10_000, workers: 4 }],
  budget: 7 * 60_000,
};
/** As long as it takes, and what takes longest. */
export const longPlan: Plan = {
  budget: Number.POSITIVE_INFINITY,
  loads: small,
  once: [
    { objects: 10_000, workers: 4 },
    { objects: 10_000, workers: 1 },
  ],
};
/** To see that everything works, not to read figures from. */
export const quickPlan: Plan = { loads: [{ objects: 50, workers: 1 }], once: [], budget: 0 };

/** A round's tasks: each subject beside its peers, in another order each time. */
export function planRound(
  loads: readonly Load[],
  round: number,
  subjects: readonly SubjectName[],
): Omit<Task, "profile">[] {
  const order = round % 2 === 0 ? subjects : subjects.toReversed();
  return loads.flatMap((load) => order.map((subject) => ({ subject, ...load })));
}

/** How long tasks have taken, and what others would take by that. */
export interface Pace {
  note(task: Task, milliseconds: number): void;
  /** Milliseconds; by the slowest of the same subject with as many workers, or with fewer. */
  estimate(tasks: readonly Task[]): number;
}

export function createPace(): Pace {
  const seen: { task: Task; perObject: number }[] = [];
  return {
    note: (task, milliseconds) => void seen.push({ task, perObject: milliseconds / task.objects }),
    estimate(tasks) {
      const times = tasks.map(({ subject, objects, workers }) => {
        const alike = seen.filter(({ task }) => task.subject === subject && task.workers <= workers);
        const most = Math.max(0, ...alike.map(({ task }) => task.workers));
        const own = alike.filter(({ task }) => task.workers === most);
        return objects * Math.max(0, ...own.map(({ perObject }) => perObject));
      });
      return times.reduce((sum, time) => sum + time, 0);
    },
  };
}
