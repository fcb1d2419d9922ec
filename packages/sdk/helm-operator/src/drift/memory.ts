import { createHash } from "node:crypto";
import { type Contest, createContest } from "./contest.ts";
import type { Difference } from "./differences.ts";
import type { Repair } from "./repair.ts";

/** The outcome of a repair that left differences. It is not repeated while they stay the same. */
export interface Remembered {
  readonly signature: string;
  /**
   * Reported again each time. Undefined: nothing to report, as the server stores the value in its own way.
   */
  readonly failure?: Repair;
  /** Milliseconds of Clock.steady: after that it is tried again. */
  readonly until: number;
}

/** Returns the same text for the same differences: the same fields, with the same values on both sides. */
export function signatureOf(differences: readonly Difference[]): string {
  const text = JSON.stringify(
    differences.map(({ path, wanted, live }) => [path, wanted ?? null, live ?? null]),
  );
  return createHash("sha256").update(text).digest("base64");
}

/**
 * Remembered outcomes, by release and object. The next repair forgets objects that the release no longer has.
 */
export interface Memory {
  /** Begins a repair of one release. */
  begin(release: string): {
    recall(object: string): Remembered | undefined;
    keep(object: string, remembered: Remembered): void;
    contestOf(object: string): Contest;
    /** Forgets outcomes that this repair did not keep, and contests that it did not ask for. */
    end(): void;
  };
  /**
   * Returns when the first note of a release expires, in milliseconds of Clock.steady; Infinity for never.
   */
  firstUntil(release: string, now: number): number;
  forget(release: string): void;
}

interface Notes {
  readonly remembered: Map<string, Remembered>;
  readonly contests: Map<string, Contest>;
}

const noNotes = (): Notes => ({ remembered: new Map(), contests: new Map() });

export function createMemory(): Memory {
  const releases = new Map<string, Notes>();
  return {
    begin(release) {
      const before = releases.get(release) ?? noNotes();
      const now = noNotes();
      return {
        recall: (object) => now.remembered.get(object) ?? before.remembered.get(object),
        keep: (object, remembered) => now.remembered.set(object, remembered),
        contestOf(object) {
          const contest = now.contests.get(object) ?? before.contests.get(object) ?? createContest();
          now.contests.set(object, contest);
          return contest;
        },
        end: () => void releases.set(release, now),
      };
    },
    firstUntil(release, now) {
      const { remembered, contests } = releases.get(release) ?? noNotes();
      const ends = [...remembered.values()].map(({ until }) => until);
      const pauses = [...contests.values()].map((contest) => contest.firstUntil(now));
      return [...ends, ...pauses].reduce((first, until) => Math.min(first, until), Number.POSITIVE_INFINITY);
    },
    forget: (release) => releases.delete(release),
  };
}
