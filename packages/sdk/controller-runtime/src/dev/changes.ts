import type { Clock } from "@operator-path/client";

/** Files that were saved together. */
export interface Change {
  files: ReadonlySet<string>;
  /** Time of the first save, from `Clock.steady`. */
  at: number;
  /** Whether the user requested a restart, whatever has changed. */
  asked: boolean;
}

/** Groups saves: an editor writes a file in several steps, and a checkout writes many files. */
export interface Changes {
  note(file: string): void;
  ask(): void;
  /** Resolves after a change followed by a quiet period. */
  settled(): Promise<void>;
  /** Returns the changes since the last call, settled or not. */
  take(): Change | undefined;
}

/** @param quiet milliseconds without a save that end a group of saves */
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
