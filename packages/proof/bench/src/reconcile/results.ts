import { median } from "../sample.ts";
import type { OperatorFigures } from "./measurement.ts";
import type { Load, Task } from "./plan.ts";
import type { SubjectName } from "./subjects.ts";

export interface Row {
  readonly round: number;
  readonly task: Omit<Task, "profile">;
  readonly figures: OperatorFigures;
}

export type Figure = (figures: OperatorFigures) => number;

/** All figures of all rounds. */
export interface Results {
  add(row: Row): void;
  readonly rows: readonly Row[];
  /** In the order in which they came first. */
  loads(): Load[];
  /** Over all rounds; undefined where there is none. */
  median(load: Load, subject: SubjectName, figure: Figure): number | undefined;
  /** The worst of all rounds. */
  most(load: Load, subject: SubjectName, figure: Figure): number | undefined;
  /** The median of what `subject` is of `than` in the same round: what slows a whole round down does not count. */
  ratio(load: Load, subject: SubjectName, than: SubjectName, figure: Figure): number | undefined;
}

export function createResults(): Results {
  const rows: Row[] = [];
  const of = ({ objects, workers }: Load, subject: SubjectName) =>
    rows.filter(
      ({ task }) => task.objects === objects && task.workers === workers && task.subject === subject,
    );
  const middle = (values: number[]) => (values.length === 0 ? undefined : median(values));
  return {
    add: (row) => void rows.push(row),
    rows,
    loads: () =>
      [...new Set(rows.map(({ task }) => `${task.objects} ${task.workers}`))].map((key) => {
        const [objects, workers] = key.split(" ").map(Number) as [number, number];
        return { objects, workers };
      }),
    median: (load, subject, figure) => middle(of(load, subject).map(({ figures }) => figure(figures))),
    most(load, subject, figure) {
      const values = of(load, subject).map(({ figures }) => figure(figures));
      return values.length === 0 ? undefined : Math.max(...values);
    },
    ratio(load, subject, than, figure) {
      const others = new Map(of(load, than).map(({ round, figures }) => [round, figure(figures)]));
      return middle(
        of(load, subject).flatMap(({ round, figures }) => {
          const other = others.get(round);
          return other === undefined ? [] : [figure(figures) / other];
        }),
      );
    },
  };
}
