/** Work that may be requested more often than it can run. */
export interface Repeated {
  /** Runs the work after the current run. Waiting requests share one run. */
  start(): void;
  /** Resolves when no run is in progress or waiting. */
  idle(): Promise<void>;
}

/** Returns work that never runs twice at the same time, and always runs after the last `start`. Ignores failures. */
export function repeatedly(work: () => Promise<void>): Repeated {
  let running: Promise<void> | undefined;
  let again = false;
  async function run(): Promise<void> {
    while (again) {
      again = false;
      await work().catch(() => {});
    }
    running = undefined;
  }
  return {
    start() {
      again = true;
      running ??= run();
    },
    idle: () => running ?? Promise.resolve(),
  };
}
