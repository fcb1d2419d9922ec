import { median } from "../../sample.ts";
import type { Figures, Measure, Task } from "../measurement.ts";

/** All figures of all rounds. */
export interface Results {
  add(round: number, task: Task, figures: Figures[Measure]): void;
  /** The median over all rounds; undefined if the subject was not measured. */
  median(name: string, figure: string): number | undefined;
  /** The median of the ratio of `name` to `than` within each round, so that a slow round changes nothing. */
  ratio(name: string, than: string, figure: string): number | undefined;
  /** The task of that name. */
  task(name: string): Task | undefined;
  /** Names of tasks, in the order of their first figures. */
  names(): string[];
  /** Every figure: one object a round, by the task's name. */
  rounds(): Record<string, Record<string, number>>[];
}

/** `sync/pods/10000/lazy` */
export const nameOf = ({ measure, resource, objects, subject }: Omit<Task, "events">): string =>
  `${measure}/${resource}/${objects}/${subject}`;

export function createResults(): Results {
  const tasks = new Map<string, Task>();
  const rounds: Record<string, Record<string, number>>[] = [];
  const values = (name: string, figure: string): (number | undefined)[] =>
    rounds.map((round) => round[name]?.[figure]);
  const middle = (all: (number | undefined)[]): number | undefined => {
    const seen = all.filter((value) => value !== undefined);
    return seen.length === 0 ? undefined : median(seen);
  };
  return {
    add(round, task, figures) {
      tasks.set(nameOf(task), task);
      rounds[round] ??= {};
      rounds[round][nameOf(task)] = { ...figures };
    },
    median: (name, figure) => middle(values(name, figure)),
    ratio(name, than, figure) {
      const others = values(than, figure);
      return middle(
        values(name, figure).map((value, round) => {
          const other = others[round];
          return value === undefined || other === undefined ? undefined : value / other;
        }),
      );
    },
    task: (name) => tasks.get(name),
    names: () => [...tasks.keys()],
    rounds: () => rounds,
  };
}
