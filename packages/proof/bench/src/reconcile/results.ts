import { median } from "../sample.ts";
import type { OperatorFigures } from "./measurement.ts";
import type { Load, SubjectName, Task } from "./plan.ts";

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
  /** In the order of their first figures. */
  loads(): Load[];
  /** Over all rounds; undefined without figures. */
  median(load: Load, subject: SubjectName, figure: Figure): number | undefined;
  /** The worst of all rounds. */
  most(load: Load, subject: SubjectName, figure: Figure): number | undefined;
  /**
   * The median of the ratio of `subject` to `than` within each round, so that a slow round changes nothing.
   */
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
