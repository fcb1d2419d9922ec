export interface MeasureOptions {
  readonly objects: number;
  /** Waits for so many reconciles without a helm, and measures so many more. */
  readonly reconciles: number;
  /** The number of requests so far. */
  readonly requests: () => Promise<number>;
}

export interface Measure {
  /** Called when a reconcile of that object begins. */
  reconcile(name: string): void;
  /** Called when a helm begins. */
  process(): void;
  readonly figures: Promise<OperatorFigures>;
}

interface Mark {
  readonly cpu: number;
  readonly processes: number;
  readonly requests: Promise<number>;
}

/** Starts when every object was reconciled and no helm has run for a while. */
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

/** Figures of the reconciles of an operator without work. */
export interface OperatorFigures {
  /** Milliseconds of processor time per reconcile, in all of the operator's threads. */
  readonly cpu: number;
  readonly reconciles: number;
  /** Runs of helm during the measurement. */
  readonly processes: number;
  /** Requests to the API server during the measurement. */
  readonly requests: number;
}
