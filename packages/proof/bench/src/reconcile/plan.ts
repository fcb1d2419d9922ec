/** The measurement of one fresh process on a fresh cluster. */
export interface Task {
  readonly subject: SubjectName;
  /** The number of Memcacheds. */
  readonly objects: number;
  /** maxConcurrentReconciles. */
  readonly workers: number;
  /** The folder of a CPU profile (Node only). A profile costs time: these figures do not count. */
  readonly profile?: string;
}

/** An amount of work. */
export type Load = Pick<Task, "objects" | "workers">;

export interface Plan {
  /** Measured in each round. */
  readonly loads: readonly Load[];
  /** Measured once, at the end: these take minutes. */
  readonly once: readonly Load[];
  /** The time limit in milliseconds of the loads that are measured once: beyond it they are left out. */
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
/** Everything, however long it takes. */
export const longPlan: Plan = {
  budget: Number.POSITIVE_INFINITY,
  loads: small,
  once: [
    { objects: 10_000, workers: 4 },
    { objects: 10_000, workers: 1 },
  ],
};
/** Shows that everything works. The figures mean little. */
export const quickPlan: Plan = { loads: [{ objects: 50, workers: 1 }], once: [], budget: 0 };

/** Returns a round's tasks: each subject beside its peers, in a different order each time. */
export function planRound(
  loads: readonly Load[],
  round: number,
  subjects: readonly SubjectName[],
): Omit<Task, "profile">[] {
  const order = round % 2 === 0 ? subjects : subjects.toReversed();
  return loads.flatMap((load) => order.map((subject) => ({ subject, ...load })));
}

/** Remembers how long tasks took, and estimates others. */
export interface Pace {
  note(task: Task, milliseconds: number): void;
  /** Milliseconds, by the slowest task of the same subject with as many workers or fewer. */
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

/** The operators and their servers, by their names for `--only`. */
export const subjects = {
  go: { title: "Go", server: "real", colour: "#e3894b" },
  ours: { title: "ours", server: "real", colour: "#2f81f7" },
  embedded: { title: "ours, embedded", server: "embedded", colour: "#79b8ff" },
} as const;

export type SubjectName = keyof typeof subjects;

export const subjectNames = Object.keys(subjects) as SubjectName[];

/** @throws RangeError for an unknown subject */
export function only(names: readonly string[]): SubjectName[] {
  for (const name of names) {
    if (!(subjectNames as string[]).includes(name))
      throw new RangeError(`unknown subject ${name} (expected one of ${subjectNames.join(", ")})`);
  }
  return names.length === 0 ? subjectNames : subjectNames.filter((name) => names.includes(name));
}
