/** Milliseconds: an object that changes again this soon after its repair may be contested. */
const contestWindow = 30_000;
/** Repairs of a field that may follow each other before the first pause. */
const immediateRepairs = 2;
const pauses = { base: 1_000, max: 600_000 };

/** The repairs of one field. */
interface FieldRepairs {
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
   * Decides about what differs now: for each field, a text that stands for it and its wanted value.
   *
   * @returns the pause; undefined when all should be repaired now, because one of them does not pause
   */
  differs(fields: readonly string[], now: number): Pause | undefined;
  repaired(fields: readonly string[], now: number): void;
  /** Notes that nothing differs: the other writer has stopped. */
  settled(): void;
  /** Returns when the first running pause ends; Infinity when no pause is running. */
  firstUntil(now: number): number;
}

/**
 * Returns a contest without repairs. The first pause takes a second, and each next one twice as long, up to
 * ten minutes.
 */
export function createContest(): Contest {
  const known = new Map<string, FieldRepairs>();
  let lastRepair = Number.NEGATIVE_INFINITY;

  function firstUntil(now: number): number {
    const ends = [...known.values()].map(({ until }) => until ?? Number.POSITIVE_INFINITY);
    return Math.min(Number.POSITIVE_INFINITY, ...ends.filter((end) => end > now));
  }

  /** Returns whether a field is paused, or must be from now on. */
  function isContested(field: string, now: number): boolean {
    const history = known.get(field);
    if (!history) return false;
    return history.until === undefined ? history.repairs >= immediateRepairs : now < history.until;
  }

  return {
    differs(fields, now) {
      // Repair all fields or none: while one is paused, it is unknown what the other writer does to the rest.
      const isOver =
        now - lastRepair > contestWindow && [...known.values()].every(({ until }) => until === undefined);
      if (isOver) known.clear();
      if (fields.length === 0 || !fields.every((field) => isContested(field, now))) return undefined;
      let isNew = false;
      for (const field of fields) {
        const history = known.get(field);
        if (!history || history.until !== undefined) continue;
        const length = pauses.base * 2 ** Math.min(history.repairs - immediateRepairs, 30);
        known.set(field, { ...history, until: now + Math.min(length, pauses.max) });
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
