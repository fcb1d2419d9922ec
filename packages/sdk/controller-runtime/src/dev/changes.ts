import type { Clock } from "@operator-path/client";

/** Files that were saved together. */
export interface Change {
  files: ReadonlySet<string>;
  /** When the first of them was, by `Clock.steady`. */
  at: number;
  /** Somebody wants a restart, whatever has changed. */
  asked: boolean;
}

/** Saves, put together: an editor writes a file in several steps, and a checkout many files. */
export interface Changes {
  note(file: string): void;
  ask(): void;
  /** Resolves when something has changed, and then nothing for a while. */
  settled(): Promise<void>;
  /** What has changed since the last time, settled or not. */
  take(): Change | undefined;
}

/** @param quiet milliseconds without a save after which what was saved counts as together */
export function createChanges({ clock, quiet }: { clock: Clock; quiet: number }): Changes {
  let change: (Change & { files: Set<string> }) | undefined;
  let timer: unknown;
  let settled = Promise.withResolvers<void>();

  function begin() {
    change ??= { files: new Set(), at: clock.steady(), asked: false };
    return change;
  }
  return {
    note(file) {
      begin().files.add(file);
      clock.clearTimeout(timer);
      timer = clock.setTimeout(() => settled.resolve(), quiet);
    },
    ask() {
      begin().asked = true;
      settled.resolve();
    },
    settled: () => settled.promise,
    take() {
      clock.clearTimeout(timer);
      settled = Promise.withResolvers();
      const taken = change;
      change = undefined;
      return taken;
    },
  };
}
