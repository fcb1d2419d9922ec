/** Work that is asked for more often than it can be done. */
export interface Repeated {
  /** Does the work, after the one that is going on. Requests that wait are one. */
  start(): void;
  /** Resolves when nothing is going on or waits. */
  idle(): Promise<void>;
}

/** Returns work that never runs twice at once, and always once more after the last `start`. Failures are dropped. */
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
