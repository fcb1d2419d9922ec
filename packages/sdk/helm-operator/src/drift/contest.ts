/** Milliseconds: an object that changes again this soon after its repair may be contested. */
const calm = 30_000;
/** Repairs of a field that may follow each other before the first pause. */
const atOnce = 2;
const pauses = { base: 1_000, max: 600_000 };

/** The repairs of one field. */
interface Rounds {
  readonly repairs: number;
  /** Milliseconds of Clock.steady, until which the field stays as the other writer has set it. */
  readonly until?: number;
}

/**
 * Contested fields that are left alone for now, because another writer sets each again after every repair.
 */
export interface Pause {
  readonly milliseconds: number;
  /** False: the pause goes on, and was reported. */
  readonly isNew: boolean;
}

/**
 * Tracks which fields of one object two writers set again and again. Counts each field, because a writer that
 * sets several of them in turn may never leave the same differences twice.
 */
export interface Contest {
  /**
   * Takes what differs now: for each field, a text that stands for it and its wanted value.
   *
   * @returns undefined when one of them should be repaired at once, and then all should
   */
  differs(fields: readonly string[], now: number): Pause | undefined;
  repaired(fields: readonly string[], now: number): void;
  /** Takes note that nothing differs: the other writer has stopped. */
  settled(): void;
  /** Returns when the first running pause ends; Infinity when no pause is running. */
  firstUntil(now: number): number;
}

/** The first pause takes a second. Each one is twice as long as the one before, up to ten minutes. */
export function createContest(): Contest {
  const known = new Map<string, Rounds>();
  let lastRepair = Number.NEGATIVE_INFINITY;

  function firstUntil(now: number): number {
    const ends = [...known.values()].map(({ until }) => until ?? Number.POSITIVE_INFINITY);
    return Math.min(Number.POSITIVE_INFINITY, ...ends.filter((end) => end > now));
  }

  /** True for a field that is paused, or must be paused from now on. */
  function isContested(field: string, now: number): boolean {
    const rounds = known.get(field);
    if (!rounds) return false;
    return rounds.until === undefined ? rounds.repairs >= atOnce : now < rounds.until;
  }

  return {
    differs(fields, now) {
      // All or none: while one field is paused, it is unknown what the other writer would do to the rest.
      const isCalm = now - lastRepair > calm && [...known.values()].every(({ until }) => until === undefined);
      if (isCalm) known.clear();
      if (fields.length === 0 || !fields.every((field) => isContested(field, now))) return undefined;
      let isNew = false;
      for (const field of fields) {
        const rounds = known.get(field);
        if (!rounds || rounds.until !== undefined) continue;
        const length = pauses.base * 2 ** Math.min(rounds.repairs - atOnce, 30);
        known.set(field, { ...rounds, until: now + Math.min(length, pauses.max) });
        isNew = true;
      }
      return { milliseconds: firstUntil(now) - now, isNew };
    },
    repaired(fields, now) {
      if (fields.length === 0) return;
      for (const field of fields) {
        known.set(field, { repairs: (known.get(field)?.repairs ?? 0) + 1 });
      }
      lastRepair = now;
    },
    settled() {
      for (const [field, { repairs }] of known) known.set(field, { repairs });
    },
    firstUntil,
  };
}
