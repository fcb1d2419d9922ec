import { createHash } from "node:crypto";
import { type Contest, createContest } from "./contest.ts";
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
    contestOf(object: string): Contest;
    /** What was neither kept, recalled nor asked for is forgotten. */
    end(): void;
  };
  /** Until when the first of a release's notes holds, in steady milliseconds; infinite: all hold until something changes. */
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
