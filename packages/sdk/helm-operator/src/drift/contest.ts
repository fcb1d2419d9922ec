/** An object that is changed again within so many milliseconds of its repair is one that somebody else wants otherwise. */
const calm = 30_000;
/** Repairs of a field that may follow each other so, before there is a pause. */
const atOnce = 2;
const pauses = { base: 1_000, max: 600_000 };

/** What is known of one field. */
interface Rounds {
  readonly repairs: number;
  /** Steady milliseconds, until when it is left as the other has it. */
  readonly until?: number;
}

/** Fields that are left alone for now, as somebody else sets each of them again after every repair. */
export interface Pause {
  readonly milliseconds: number;
  /** False: it goes on, and was told of. */
  readonly isNew: boolean;
}

/**
 * Of one object: which of its fields two writers set again and again. Counted by field, as a writer that sets several of
 * them in turn may never leave the same differences twice.
 */
export interface Contest {
  /**
   * What differs now: for each field a text that stands for it, and for what is wanted of it.
   *
   * @returns undefined when one of them is to be repaired at once, and then all are
   */
  differs(fields: readonly string[], now: number): Pause | undefined;
  repaired(fields: readonly string[], now: number): void;
  /** Nothing differs: the other has let go. */
  settled(): void;
  /** When the first pause ends that has not ended yet; infinite: there is none. */
  firstUntil(now: number): number;
}

/** The first pause is a second, and each is twice as long as the one before it, up to ten minutes. */
export function createContest(): Contest {
  const known = new Map<string, Rounds>();
  let lastRepair = Number.NEGATIVE_INFINITY;

  function firstUntil(now: number): number {
    const ends = [...known.values()].map(({ until }) => until ?? Number.POSITIVE_INFINITY);
    return Math.min(Number.POSITIVE_INFINITY, ...ends.filter((end) => end > now));
  }

  /** True: of a field that is paused, or is to be from now on. */
  function isContested(field: string, now: number): boolean {
    const rounds = known.get(field);
    if (!rounds) return false;
    return rounds.until === undefined ? rounds.repairs >= atOnce : now < rounds.until;
  }

  return {
    differs(fields, now) {
      // All or none: while one is paused, nothing is known of what the other would do to the rest.
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
