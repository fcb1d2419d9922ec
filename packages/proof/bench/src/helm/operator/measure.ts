import type { OperatorFigures } from "../figures.ts";

export interface MeasureOptions {
  readonly objects: number;
  /** So many are waited for without a helm, and so many more are measured. */
  readonly reconciles: number;
  /** How many have been sent so far. */
  readonly requests: () => Promise<number>;
}

export interface Measure {
  /** One of that object begins. */
  reconcile(name: string): void;
  /** A helm begins. */
  process(): void;
  readonly figures: Promise<OperatorFigures>;
}

interface Mark {
  readonly cpu: number;
  readonly processes: number;
  readonly requests: Promise<number>;
}

/** Begins by itself when every object has been seen, and no helm has run for a while. */
export function createMeasure({ objects, reconciles, requests }: MeasureOptions): Measure {
  const names = new Set<string>();
  let processes = 0;
  let quiet = 0;
  let begin: Mark | undefined;
  let measured = 0;
  const { promise, resolve, reject } = Promise.withResolvers<OperatorFigures>();

  function mark(): Mark {
    const { user, system } = process.cpuUsage();
    return { cpu: (user + system) / 1_000, processes, requests: requests() };
  }

  async function finish(first: Mark): Promise<void> {
    const end = mark();
    resolve({
      cpu: (end.cpu - first.cpu) / reconciles,
      reconciles,
      processes: end.processes - first.processes,
      requests: (await end.requests) - (await first.requests),
    });
  }

  return {
    process() {
      processes++;
      quiet = 0;
    },
    reconcile(name) {
      names.add(name);
      if (begin === undefined) {
        if (names.size === objects) quiet++;
        if (quiet > reconciles) begin = mark();
      } else if (++measured === reconciles) {
        finish(begin).catch(reject);
      }
    },
    figures: promise,
  };
}
