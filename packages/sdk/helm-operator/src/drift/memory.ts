import { createHash } from "node:crypto";
import type { Difference } from "./differences.ts";
import type { Repair } from "./repair.ts";

/** What came of a repair whose differences are still there: not to be tried again as long as they are the same. */
export interface Remembered {
  readonly signature: string;
  /** Told again each time. Undefined: there is nothing to tell, the server has its own way to say what is wanted. */
  readonly failure?: Repair;
  /** Steady milliseconds, after which it is tried again. */
  readonly until: number;
}

/** Differences that are the same differences: the same fields, and the same values on both sides. */
export function signatureOf(differences: readonly Difference[]): string {
  const text = JSON.stringify(
    differences.map(({ path, wanted, live }) => [path, wanted ?? null, live ?? null]),
  );
  return createHash("sha256").update(text).digest("base64");
}

/** By release, by object. What a release does not have any more is forgotten with its next repair. */
export interface Memory {
  /** Of one release, for the time of one repair. */
  begin(release: string): {
    recall(object: string): Remembered | undefined;
    keep(object: string, remembered: Remembered): void;
    /** What was neither kept nor recalled is forgotten. */
    end(): void;
  };
  /** Until when the first of a release's notes holds, in steady milliseconds; infinite: all hold until something changes. */
  firstUntil(release: string): number;
  forget(release: string): void;
}

export function createMemory(): Memory {
  const releases = new Map<string, Map<string, Remembered>>();
  return {
    begin(release) {
      const before = releases.get(release);
      const now = new Map<string, Remembered>();
      return {
        recall: (object) => now.get(object) ?? before?.get(object),
        keep: (object, remembered) => now.set(object, remembered),
        end() {
          if (now.size > 0) releases.set(release, now);
          else releases.delete(release);
        },
      };
    },
    firstUntil(release) {
      const notes = [...(releases.get(release)?.values() ?? [])];
      return notes.reduce((first, { until }) => Math.min(first, until), Number.POSITIVE_INFINITY);
    },
    forget: (release) => releases.delete(release),
  };
}
